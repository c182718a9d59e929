"""Advice: procedures of the person's that stand around procedures of the loop, and can be taken off again."""

from __future__ import annotations

from hashlib import sha256
from types import CodeType
from typing import TYPE_CHECKING, Final, NamedTuple

from nodwyn.interp.data import Value
from nodwyn.prims.declare import PrimitiveError

if TYPE_CHECKING:
    from nodwyn.interp import Interpreter

AROUND: Final = "(lambda (advice next) (lambda arguments (apply advice next arguments)))"
"""Scheme that puts advice around a procedure: calls between the two are then as those of any other procedure."""


class Piece(NamedTuple):
    """One piece of advice."""

    name: str
    """The procedure advised."""
    advice: Value
    within: Value
    """What the procedure was before."""
    around: Value
    """What it is with the advice."""


class Advice:
    """The advice of one Scheme, the latest last."""

    def __init__(self, scheme: Interpreter) -> None:
        self._scheme = scheme
        self._pieces: list[Piece] = []

    def add(self, name: str, advice: Value) -> None:
        """Put advice around the procedure that has this name now.

        Raises: PrimitiveError when none has.
        """
        within = self._scheme.programs.lookup(name)
        if not callable(within):
            raise PrimitiveError(
                f"{name} is not a procedure: nothing can be put around it; docs/loop.md names the loop's scripts"
            )
        around = self._scheme.runtime.call(self._scheme.eval_scheme(AROUND, "<advice>"), advice, within)
        self._scheme.programs.define(name, around)
        self._pieces.append(Piece(name, advice, within, around))

    def remove(self, name: str) -> None:
        """Take off the latest advice of a procedure.

        Raises: PrimitiveError when it has none, or was defined anew since.
        """
        pieces = [piece for piece in self._pieces if piece.name == name]
        if not pieces:
            raise PrimitiveError(f"{name} has no advice; (advice) lists what has")
        piece = pieces[-1]
        self._pieces.remove(piece)
        if self._scheme.programs.lookup(name) is not piece.around:
            raise PrimitiveError(f"{name} was defined anew since: the advice was gone before")
        self._scheme.programs.define(name, piece.within)

    def bare(self, procedure: Value) -> Value:
        """Return a procedure without the advice around it."""
        by_procedure = {id(piece.around): piece for piece in self._pieces}
        while (piece := by_procedure.get(id(procedure))) is not None:
            procedure = piece.within
        return procedure

    def standing(self) -> list[Piece]:
        """Return the advice in effect: a definition since then has replaced what stood around it."""
        return [piece for piece in self._pieces if self._reaches(piece)]

    def recorded(self) -> list[dict[str, str]]:
        """Return what the log says of the advice in effect."""
        return [{"procedure": piece.name, "name": _name(piece), "sha256": _digest(piece)} for piece in self.standing()]

    def _reaches(self, wanted: Piece) -> bool:
        outermost = self._scheme.programs.lookup(wanted.name)
        by_procedure = {id(piece.around): piece for piece in self._pieces if piece.name == wanted.name}
        while (piece := by_procedure.get(id(outermost))) is not None:
            if piece is wanted:
                return True
            outermost = piece.within
        return False


def _name(piece: Piece) -> str:
    return str(getattr(piece.advice, "__name__", ""))


def _digest(piece: Piece) -> str:
    """Return a digest of what advice does: its text is not kept, its compiled code is."""
    code = getattr(piece.advice, "__code__", None)
    return (
        sha256("\n".join(_lines(code)).encode("utf-8", "surrogatepass")).hexdigest() if code else sha256().hexdigest()
    )


def _lines(code: CodeType) -> list[str]:
    lines = [code.co_code.hex(), repr(code.co_names)]
    # The first constant says where the procedure was compiled, which is not what it does.
    for constant in code.co_consts[1:]:
        lines += _lines(constant) if isinstance(constant, CodeType) else [repr(constant)]
    return lines
