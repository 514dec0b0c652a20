"""The parameters of spheroidal and Mathieu functions: their native code has tables of a fixed size, which it goes beyond."""

from __future__ import annotations

import operator

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import replace_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["changes"]

_MOST_TERMS: Final = 289
"""Of the series of a characteristic value: its tables have 300 places, of which 10 are always taken."""
_MOST_OF_FUNCTIONS: Final = 90
_MOST_ORDER: Final = 100
"""Of the series of a function, and its order; measured."""
_MOST_Q: Final = 1e7
"""Of Mathieu functions: native code makes a whole number of its power."""


def changes() -> Mapping[str, Callable[[Any], None]]:
    """Return the change to each module."""
    return {"scipy.special._specfun": _keep_sequences, "scipy.special._special_ufuncs": _keep_functions}


def _keep_sequences(module: Any) -> None:
    """Let a sequence of characteristic values have room for all of them: for an even number native code has one too few."""
    original = module.segv

    def segv(m: Any, n: Any, c: Any, kd: Any) -> Any:
        least, last, parameter = operator.index(int(m)), operator.index(int(n)), float(c)
        more = last + (last - least + 1) % 2
        if not (0 <= least <= last < least + 200 and parameter >= 0 and parameter + (more - least) / 2 <= _MOST_TERMS):
            raise ValueError(f"the sequence is for 0 <= m <= n < m + 200, c of at least 0, and c + (n-m)/2 up to {_MOST_TERMS}")
        return original(least, more, parameter, operator.index(kd))

    module.segv = segv


def _keep_functions(module: Any) -> None:
    replaced = {}
    for name, original in list(vars(module).items()):
        check = _check_of(name)
        if check is not None:
            function = _checked(original, check)
            replaced[id(original)] = function
            setattr(module, name, function)
    replace_held(replaced, "scipy")


def _check_of(name: str) -> Callable[..., None] | None:
    if name in ("pro_cv", "obl_cv"):
        return _check_values
    if name.startswith(("pro_", "obl_")):
        return _check_functions
    return _check_mathieu if name.startswith(("mathieu_", "modified_mathieu_")) else None


def _checked(original: Any, check: Callable[..., None]) -> Callable[..., Any]:
    count = original.nin

    @instead_of(original)
    def function(*args: Any, **options: Any) -> Any:
        import numpy  # which scipy has loaded

        given = [numpy.array(each) for each in args[:count]]
        given = [each.astype(float) if each.dtype.kind not in "fiub" else each for each in given]
        check(*given)
        return original(*given, *args[count:], **options)

    return function


def _check_values(m: Any, n: Any, c: Any, *_: Any) -> None:
    bad = (m >= 0) & (n >= m) & (n - m <= 198) & ~((c >= 0) & (c + (n - m) / 2 <= _MOST_TERMS))
    _refuse(bad | (abs(m) > 1e6), f"c is at least 0, and c + (n-m)/2 up to {_MOST_TERMS}")


def _check_functions(m: Any, n: Any, c: Any, *_: Any) -> None:
    bad = (m >= 0) & (n >= m) & ~((n <= _MOST_ORDER) & (c >= 0) & (c + n / 2 <= _MOST_OF_FUNCTIONS))
    _refuse(bad, f"n is up to {_MOST_ORDER}, c at least 0, and c + n/2 up to {_MOST_OF_FUNCTIONS}")


def _check_mathieu(m: Any, q: Any, *_: Any) -> None:
    _refuse(~((abs(q) <= _MOST_Q) & (abs(m) <= _MOST_Q)), f"m and q are up to {_MOST_Q:.0f}")


def _refuse(bad: Any, words: str) -> None:
    if bad.any():
        raise ValueError(f"native code has no room for these parameters: {words}")
