"""What is said to somebody who names what there is not: the name that may have been meant, or all that there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def hint(given: str, known: Iterable[str], *, show: Callable[[str], str] = str, otherwise: str | None = None) -> str:
    """Return how a sentence goes on that says that there is no such name: ``; did you mean run?``

    known: the names that there are. show: how one is written. otherwise: what is said where none is near; all of them,
    or that there is none, when not given.
    """
    from nodwyn.interp.runtime.suggest import nearest

    names = list(known)
    near = nearest(given, names, 1)
    if near:
        return f"; did you mean {show(near[0])}?"
    return f"; there {'are ' + ', '.join(names) if names else 'is none'}" if otherwise is None else otherwise
