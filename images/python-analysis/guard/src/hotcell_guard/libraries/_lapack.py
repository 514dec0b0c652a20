"""LAPACK's pivots: rows that native code exchanges, wherever they are.

``lu_solve`` and the functions of ``scipy.linalg.lapack`` take the pivots that a factorization gave, and look at their number
alone. So they are looked at here, by the names of f2py's parameters: some count from 0, others from 1, and those of symmetric
matrices are negative in pairs.
"""

from __future__ import annotations

import operator

from hotcell_guard.libraries._f2py import with_parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    type Check = Callable[[Any, int], bool]

__all__ = ["keep_pivots"]

_PIVOTS: Final = frozenset("piv ipiv jpiv iblock isplit".split())


def keep_pivots(module: Any) -> None:
    """Let each function that takes pivots have some that are inside its matrix."""
    for attribute, function, name, names in with_parameters(module, _PIVOTS):
        routine = name[1:]  # without the letter of its numbers
        setattr(module, attribute, _checked(function, names, _CHECKS.get(routine, _from_either), routine == _EXCHANGE))


def _checked(original: Any, names: list[str], are_inside: Check, exchanges: bool) -> Callable[..., Any]:
    import numpy  # which scipy has loaded

    def function(*args: Any, **options: Any) -> Any:
        if len(args) > len(names):
            return original(*args, **options)  # it says what is wrong
        told = {**dict(zip(names, args, strict=False)), **options}
        for name in _PIVOTS & told.keys():
            own = numpy.array(told[name], numpy.int32, ndmin=1)
            most = len(told["a"]) if exchanges else len(own)
            if own.ndim != 1 or not are_inside(own, most) or exchanges and not _is_in_steps(told, len(own)):
                raise ValueError(f"{name} has numbers of rows that the matrix does not have")
            told[name] = own
        return original(**told)

    function.__name__, function.__doc__ = original.__name__, original.__doc__
    return function


_EXCHANGE: Final = "laswp"


def _is_in_steps(told: Mapping[str, Any], count: int) -> bool:
    """Tell whether laswp reads the pivots that there are, one by one."""
    first, offset, step = (operator.index(told.get(name, default)) for name, default in (("k1", 0), ("off", 0), ("inc", 1)))
    last = operator.index(told.get("k2", count - 1))
    return abs(step) == 1 and offset >= 0 and 0 <= first <= last < count - offset


def _from_0(rows: Any, most: int) -> bool:
    return bool(((rows >= 0) & (rows < most)).all())


def _from_1(rows: Any, most: int) -> bool:
    return bool(((rows >= 1) & (rows <= most)).all())


def _from_either(rows: Any, most: int) -> bool:
    return _from_0(rows, most) and _from_1(rows, most)


def _is_next(rows: Any, most: int) -> bool:
    """Tell whether each row stays, or is exchanged with the next one, as in a matrix of three diagonals."""
    return _from_1(rows, most) and all(at <= row <= at + 1 for at, row in enumerate(rows.tolist(), 1))


def _are_pairs(rows: Any, most: int) -> bool:
    """Tell whether rows that are exchanged by two, which are negative, come in pairs."""
    signs = "".join("-" if row < 0 else "+" for row in rows.tolist())
    return _from_1(abs(rows), most) and all(len(run) % 2 == 0 for run in signs.split("+"))


def _are_blocks(rows: Any, most: int) -> bool:
    return bool(((rows >= 0) & (rows <= most)).all())


_CHECKS: Final[Mapping[str, Check]] = {
    **dict.fromkeys(("gesvx", "getrs", "gesc2", "getri", "gbtrs", _EXCHANGE), _from_0),
    **dict.fromkeys(("gttrs", "gtcon", "gtsvx"), _is_next),
    **dict.fromkeys("sytrs hetrs sysvx sycon hecon syconv hesvx".split(), _are_pairs),
    "stein": _are_blocks,
}
"""What each function's pivots are, by its name; measured by what the factorizations of a unit matrix give."""
