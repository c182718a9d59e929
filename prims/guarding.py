"""The person's side of the guard, in Scheme: checkers, standing answers, and where text came from."""

from __future__ import annotations

from typing import Annotated, Literal

from nodwyn.interp.data import String, Value
from nodwyn.prims.context import Context
from nodwyn.prims.declare import PrimitiveError, primitive
from nodwyn.prims.effects import PERSON, SCHEME, Effect
from nodwyn.prims.guard.checkers import Checker
from nodwyn.prims.kinds import labels_of
from nodwyn.prims.log.events import CheckerChange, Grant, Vouch
from nodwyn.prims.mistyped import hint
from nodwyn.prims.parameters import Anything, Name, Path, Procedure, SchemeText


@primitive("register-check", effect=Effect.NONE, callers=PERSON)
def register_check(
    context: Context,
    name: Annotated[Name, "what refusals call it; a checker of the same name gives way"],
    check: Annotated[Procedure, "given an effect as an association list, returns what it has against it"],
    extension: Annotated[str, "the file extension that it is for, such as .md; any effect when empty"] = "",
) -> None:
    """Let a procedure of yours see every effect before it happens, and refuse it or have you asked.

    The effect has the keys effect, subject, path, primitive and caller, and content or command where there is one.
    Return #t for no objection; #f, a string or (deny REASON) to refuse; (confirm REASON) to be asked. An error
    refuses. A checker may only tighten: what another layer refuses stays refused.
    """
    ending = f".{extension.lstrip('.').lower()}" if extension else ""
    context.session.guard.checkers.register(Checker(name, check, ending))
    context.session.log.append(CheckerChange(name=name, extension=ending, registered=True))


@primitive("unregister-check", effect=Effect.NONE, callers=PERSON)
def unregister_check(context: Context, name: Annotated[Name, "its name"]) -> None:
    """Take a checker away."""
    checkers = context.session.guard.checkers
    if not checkers.remove(name):
        known = hint(name, checkers.names) if checkers else "; none is registered in this session"
        raise PrimitiveError(f"there is no checker {name}{known}")
    context.session.log.append(CheckerChange(name=name, registered=False))


@primitive("without-asking", effect=Effect.NONE, callers=SCHEME)
def without_asking(context: Context, thunk: Annotated[Procedure, "takes no arguments"]) -> Value:
    """Call a procedure, and return its value; what would be asked meanwhile is refused, unasked."""
    with context.session.guard.without_asking():
        return context.apply(thunk)


@primitive("allow", effect=Effect.NONE, callers=PERSON)
def allow(
    context: Context,
    kind: Annotated[Literal["reads", "edits", "all"], "of commands and writes, as for --approve"],
) -> None:
    """Say yes to a kind of questions for the rest of this session.

    reads: commands that only read; edits: also writes inside the root and sandboxed commands; all: also commands
    without a sandbox. None of them covers a path outside of the root, the network, or a command made from text of
    elsewhere.
    """
    context.session.guard.approvals.allow(kind)
    context.session.log.append(Grant(what="command", subject=kind, given=True))


@primitive("allow-path", effect=Effect.NONE, callers=PERSON)
def allow_path(context: Context, path: Annotated[Path, "a directory or file outside of the root"]) -> None:
    """Let the file primitives of this session reach a directory or file outside of the root, too."""
    added = context.session.places.add(path)
    context.session.log.append(Grant(what="path", subject=added, given=True))


@primitive("forget", effect=Effect.NONE, callers=PERSON)
def forget(context: Context) -> None:
    """Take back everything that was allowed in this session: kinds, answers and paths."""
    context.session.guard.approvals.forget()
    context.session.places.forget_added()
    context.session.log.append(Grant(what="other", subject="everything", given=False))


@primitive("provenance", effect=Effect.NONE, callers=SCHEME)
def provenance(context: Context, value: Annotated[Anything, "a string, or data that has strings in it"]) -> list[str]:
    """Return where text came from: a list of labels, such as external:file. Text of the program itself has none."""
    return sorted(labels_of(value))


@primitive("vouch", effect=Effect.NONE, callers=PERSON)
def vouch(context: Context, text: Annotated[SchemeText, "the text that you have looked at"]) -> Value:
    """Return a copy of a string without labels: you answer for it. That is on record."""
    from hashlib import sha256

    octets = text.text().encode("utf-8", "surrogatepass")
    labels = sorted(text.origin.labels)
    context.session.log.append(Vouch(digest=sha256(octets).hexdigest(), size=len(octets), labels=labels))
    return String(text.text())


@primitive("redact", effect=Effect.NONE, callers=SCHEME)
def redact(context: Context, text: Annotated[str, "any text"]) -> str:
    """Return a text as the log would have it: what looks like a secret is replaced by a mark."""
    return context.session.redactor.redact(text)


PRIMITIVES = (
    register_check,
    unregister_check,
    without_asking,
    allow,
    allow_path,
    forget,
    provenance,
    vouch,
    redact,
)
