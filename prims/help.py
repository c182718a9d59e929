"""Help for a person, made from the declarations: what there is, how one is called, and the page of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nodwyn.prims.declare import Parameter, Primitive

BEGIN = "<!-- made from the declarations: make reference -->"
END = "<!-- end of what is made -->"


def described(primitive: Primitive) -> str:
    """Return all that there is to say about a primitive, for a terminal."""
    width = max((len(parameter.name) for parameter in primitive.parameters), default=0)
    lines = [primitive.usage, "", primitive.documentation]
    if primitive.parameters:
        lines += ["", *(f"  {parameter.name:<{width}}  {_about(parameter)}" for parameter in primitive.parameters)]
    return "\n".join([*lines, "", _standing(primitive)])


def found(primitives: Mapping[str, Primitive], words: str) -> list[Primitive]:
    """Return the primitives whose names or documentation have all of the words, those named so first."""
    wanted = words.lower().split()
    matching = [
        primitive
        for primitive in primitives.values()
        if all(word in f"{primitive.name}\n{primitive.documentation}".lower() for word in wanted)
    ]
    return sorted(matching, key=lambda each: (not all(word in each.name for word in wanted), each.name))


def listed(primitives: Iterable[Primitive]) -> str:
    """Return one line a primitive: how it is called and what it does."""
    return "\n".join(f"{primitive.usage}\n    {primitive.summary}" for primitive in primitives)


def reference(primitives: Iterable[Primitive]) -> str:
    """Return the part of docs/primitives.md that is made: a table of all primitives, and each one's parameters."""
    ordered = sorted(primitives, key=lambda each: each.name)
    table = ["| primitive | does | effect | called by |", "| --- | --- | --- | --- |"]
    for each in ordered:
        summary = each.summary.replace("|", "\\|")
        table.append(f"| `{each.usage}` | {summary} | {each.effect.value} | {', '.join(each.callers)} |")
    sections = [_section(each) for each in ordered]
    return "\n".join([BEGIN, "", *table, "", *sections, END])


def renewed(page: str, primitives: Iterable[Primitive]) -> str:
    """Return a page with its made part as the declarations are now.

    Raises: ValueError when the page has no such part.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page lacks {BEGIN} or {END}")
    return f"{before}{reference(primitives)}{after}"


def _section(primitive: Primitive) -> str:
    lines = [f"### {primitive.name}", "", f"`{primitive.usage}`", "", primitive.documentation, ""]
    if primitive.parameters:
        lines += ["| parameter | is | default |", "| --- | --- | --- |"]
        for parameter in primitive.parameters:
            default = "" if parameter.is_required else f"`{_default(parameter)}`"
            lines.append(f"| `{parameter.name}` | {parameter.kind.wanted}: {parameter.description} | {default} |")
        lines.append("")
    return "\n".join([*lines, _standing(primitive), ""])


def _about(parameter: Parameter) -> str:
    default = "" if parameter.is_required else f" (default {_default(parameter)})"
    return f"{parameter.kind.wanted}: {parameter.description}{default}"


def _default(parameter: Parameter) -> str:
    return "#f" if parameter.default is None else parameter.kind.shown(parameter.default)


def _standing(primitive: Primitive) -> str:
    said = f"Effect: {primitive.effect.value}. May be called by: {', '.join(primitive.callers)}."
    if primitive.provenance:
        said += f" Its text is labelled {' or '.join(sorted(primitive.provenance))}."
    return said
