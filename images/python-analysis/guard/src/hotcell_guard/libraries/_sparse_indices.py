"""Keeps scipy's native code for sparse matrices inside the arrays that it is given.

A matrix has three arrays that anybody changes in place or sets: where each row begins,
the columns and the values. They are looked at, in part, when it is made, and never again:
its products, sums and conversions read and write where they say, and as much as a subclass
says. All of scipy.sparse's native functions are in one module, and those of SuperLU in
another. They look now, at each call. Numbers become exact ones. Between the look and the
use nothing changes the places: the collector, which calls a script's finalisers, is off,
and where there are threads, or a result lies over the places, the function gets copies.
"""

from __future__ import annotations

import gc
import operator
import sys
from math import prod
from types import BuiltinFunctionType

from hotcell_guard.granting import _resizing
from hotcell_guard.libraries import _sparse_lengths
from hotcell_guard.libraries._changes import replace_held
from hotcell_guard.libraries._sparse_routines import ROUTINES, SOLVERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives
    from hotcell_guard.libraries._sparse_lengths import Found

    type Check = Callable[[list[Any], Found], bool]

__all__ = ["OUTSIDE", "Arrays", "keep_orders", "keep_products", "keep_solvers"]

OUTSIDE: Final = (
    "the index arrays of a sparse matrix reach outside of it, or there is no room for the result: "
    "they, its data or what it says of itself were changed; make the matrix again"
)
_ANY: Final = "."


class Arrays:
    """Reads arrays past what a subclass says of itself."""

    def __init__(self, numpy: Any) -> None:
        held = vars(numpy.ndarray)
        self._kind, self._make, self._copy = numpy.ndarray, numpy.asarray, numpy.array
        self._view, self._astype, self.size = held["view"], held["astype"], held["size"].__get__
        self.overlap = numpy.may_share_memory
        self._most, self._all = numpy.maximum.reduce, numpy.logical_and.reduce
        self._unsigned = {each.itemsize: each for each in map(numpy.dtype, ("u1", "u2", "u4", "u8"))}
        self.sum, self.take = numpy.add.reduce, numpy.take

    def exact(self, given: Any) -> Any:
        """Return an array of numpy's own class, over the same memory."""
        return self._view(given if isinstance(given, self._kind) else self._make(given), self._kind)

    def places(self, given: Any) -> Any:
        """Return an array of places in the machine's order."""
        exact = self.exact(given)
        if exact.dtype.kind not in "iu" or exact.ndim != 1:
            raise ValueError(OUTSIDE)
        return exact if exact.dtype.isnative else self._astype(exact, exact.dtype.newbyteorder("="))

    def copy(self, given: Any) -> Any:
        """Return a copy of an array of places."""
        return self._copy(self.places(given))

    def most(self, places: Any) -> int:
        """Return the greatest of places, where each below 0 counts for more than any."""
        return int(self._most(self._view(places, self._unsigned[places.dtype.itemsize]), initial=0))

    def are_below(self, places: Any, most: int) -> bool:
        """Tell whether places are below a number, and not below 0."""
        return not self.size(places) or self.most(places) < most

    def begin(self, starts: Any) -> bool:
        """Tell whether rows begin one after the other."""
        return self.size(starts) > 0 and bool(starts[0] >= 0) and bool(self._all(starts[1:] >= starts[:-1]))


def keep_products(module: Any) -> None:
    """Let all of scipy.sparse's native functions look at their arguments first."""
    import numpy  # which scipy has loaded

    arrays = Arrays(numpy)
    count = getattr(module, "csr_matmat_maxnnz", None), getattr(module, "csr_count_blocks", None)
    lengths = _sparse_lengths.lengths(arrays, *count)
    looking: dict[int, Callable[..., Any]] = {}
    for name, function in list(vars(module).items()):
        if type(function) is BuiltinFunctionType and name not in _HARMLESS:
            looking[id(function)] = _looking(function, ROUTINES[name], arrays, lengths) if name in ROUTINES else _refused(name)
    replace_held(looking, "scipy.sparse")


_HARMLESS: Final = ("test_throw_error",)


def keep_solvers(module: Any) -> None:
    """Let SuperLU do so."""
    import numpy

    arrays = Arrays(numpy)
    lengths = _sparse_lengths.lengths(arrays, None, None)
    for name, layout in SOLVERS.items():
        setattr(module, name, _looking(getattr(module, name), layout, arrays, lengths, more=True))


def keep_orders(natives: Natives) -> None:
    """Let SuperLU's factors show copies of the orders that they solve by. scipy has described the real ones by now."""
    kind: Any = sys.modules["scipy.sparse.linalg._dsolve._superlu"].SuperLU
    held = vars(kind)
    natives.put(kind, **{name: property(_copier(held[name].__get__)) for name in ("perm_c", "perm_r")})


def _copier(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: get(self).copy()


def _refused(name: str) -> Callable[..., Any]:
    """Return what stands for a function that nobody has described."""

    def call(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"scipy.sparse's {name} is not known here")

    return call


def _looking(
    original: Callable[..., Any], layout: str, arrays: Arrays, lengths: dict[str, Any], *, more: bool = False
) -> Callable[..., Any]:
    """Return a function that looks at its arguments, and then is the original."""
    words = [each for each in layout.split() if "=" not in each]
    turns = [_turn(each, arrays) for each in words]
    numbers = [(at, each[0]) for at, each in enumerate(words) if ":" not in each and each != _ANY]
    written = [at for at, each in enumerate(words) if each[0] == "Q" or "!" in each]
    places = [at for at, each in enumerate(words) if each[0] in "PpJW" and ":" in each and at not in written]
    results = [at for at, each in enumerate(words) if each[0] == "Y" and ":" in each]
    checks = [check for _, check in sorted(_checks(layout, arrays, lengths), key=operator.itemgetter(0))]

    def call(*args: Any, **options: Any) -> Any:
        if len(args) != len(turns) and (not more or len(args) < len(turns)):
            raise TypeError(f"{original.__name__} takes {len(turns)} arguments")
        exact = [turn(each) for turn, each in zip(turns, args, strict=False)]
        found: Found = {name: exact[at] for at, name in numbers}
        targets = [(arrays.exact(args[at]), exact[at]) for at in written]
        enabled = gc.isenabled()
        gc.disable()
        try:
            over = ((exact[at], exact[result]) for result in results for at in places)
            if more or _resizing.has_threads() or any(arrays.overlap(*each) for each in over):
                for at in places:
                    exact[at] = arrays.copy(exact[at])
            if not all(check(exact, found) for check in checks):
                raise ValueError(OUTSIDE)
            result = original(*exact, *args[len(turns) :], **options)
        finally:
            if enabled:
                gc.enable()
        for target, own in targets:
            target[...] = own
        return result

    return call


def _turn(word: str, arrays: Arrays) -> Callable[[Any], Any]:
    """Return what makes an argument exact."""
    if word == _ANY:
        return lambda given: given
    if ":" in word:
        if word[0] in "XY":
            return arrays.exact
        return arrays.copy if word[0] == "Q" or "!" in word else arrays.places
    least = {"+": 1, "?": None}.get(word[1:], 0)

    def number(given: Any) -> int:
        value = operator.index(given)
        if least is not None and value < least:
            raise ValueError(OUTSIDE)
        return value

    return number


def _checks(layout: str, arrays: Arrays, lengths: dict[str, Any]) -> list[tuple[int, Check]]:
    """Return all checks, each with its turn: where rows begin, the places, what is to be so, the room for the result."""
    words = layout.split()
    checks: list[tuple[int, Check]] = []
    for at, word in enumerate(words):
        kind, _, rest = word.partition(":")
        if "<=" in word:
            checks.append((2, _at_most(*word.split("<="))))
        elif word.startswith("t="):
            checks.append((3, _told(lengths[word[2:]])))
        elif kind[0] in "Pp" and ":" in word:
            checks.append((0, _beginning(at, kind[0] == "P", rest, arrays)))
        elif kind[0] in "JW" and rest:
            checks.append((1, _places(at, kind[0] == "W", rest, arrays)))
        elif kind[0] in "XYQ" and rest:
            checks.append((4, _room(at, rest, arrays)))
    return checks


def _beginning(at: int, first: bool, rows: str, arrays: Arrays) -> Check:
    ends, count = ("z", "M") if first else ("y", "i")

    def check(exact: list[Any], found: Found) -> bool:
        starts = exact[at]
        if not arrays.begin(starts) or (rows and arrays.size(starts) != found[rows] + 1):
            return False
        found[ends], found[count] = int(starts[-1]), arrays.size(starts) - 1
        return True

    return check


def _places(at: int, wraps: bool, rest: str, arrays: Arrays) -> Check:
    text, _, limit = rest.partition("<")
    length = _length(text)

    def check(exact: list[Any], found: Found) -> bool:
        count = length(found)
        if arrays.size(exact[at]) < count:
            return False
        if not limit:
            return True
        used, most = exact[at][:count], found[limit]
        return arrays.are_below(used, most) or (wraps and used.dtype.kind == "i" and arrays.are_below(used + most, 2 * most))

    return check


def _room(at: int, rest: str, arrays: Arrays) -> Check:
    length = _length(rest)
    return lambda exact, found: arrays.size(exact[at]) >= length(found)


def _at_most(one: str, other: str) -> Check:
    return lambda _, found: found[one] <= found[other]


def _told(tell: Callable[[list[Any], Found], int]) -> Check:
    """Return a check that lets a function say how much there will be; less than nothing: it is not so."""

    def check(exact: list[Any], found: Found) -> bool:
        found["t"] = tell(exact, found)
        return found["t"] >= 0

    return check


def _length(text: str) -> Callable[[Found], int]:
    """Return what computes a sum of products of numbers that have been found."""
    if len(text) == 1:
        return operator.itemgetter(text)
    terms = [[int(each) if each.isdigit() else each for each in term.split("*")] for term in text.split("+")]

    def length(found: Found) -> int:
        return sum(prod(each if isinstance(each, int) else found[each] for each in term) for term in terms)

    return length
