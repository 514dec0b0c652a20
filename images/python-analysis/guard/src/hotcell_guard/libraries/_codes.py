"""Codes of pandas' MultiIndex and Categorical are places among their levels and categories, where native code gets them.

pandas looks at codes when an object is made, if it is asked to; native code that groups and takes goes where they say.
Others hold their memory: whoever gave them, and whoever is shown them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["keep_categories", "keep_levels"]

_UNSEEN: Final = "_codes_unseen"


def _check(codes: Any, count: int, where: str, what: str) -> None:
    """Raise a ValueError, in pandas' words, for codes that are not from -1 to the last of so many."""
    if codes.size and codes.max() >= count:
        raise ValueError(
            f"{where}code max ({codes.max()}) >= length of {what} ({count}). NOTE: this index is in an inconsistent state"
        )
    if codes.size and codes.min() < -1:
        raise ValueError(f"{where}code value ({codes.min()}) < -1")


def _count(places: Any) -> int:
    """Return how many there are in an index, whatever one of a script's class says."""
    return min(len(places), len(places._values))


def keep_levels(module: Any) -> None:
    """Let an index of several levels look at its codes once after they or the levels were set, and hold them in bytes.

    No flag makes an array over bytes writable. pandas sets fewer levels and then their codes, so that they are looked
    at when they are asked for. What is shown are views: whoever has an array can give it another type.
    """
    kind, numpy, frozen = module.MultiIndex, module.np, module.FrozenList
    none = frozen()

    def settled(codes: Any) -> Any:
        exact = numpy.asarray(codes)
        if not _is_of_bytes(exact, numpy.ndarray):
            exact = numpy.ndarray(exact.shape, exact.dtype, exact.tobytes())
        return exact.view()

    def get_codes(self: Any) -> Any:
        held = vars(self)
        codes = held.get("_codes", none)
        if held.get(_UNSEEN):
            for at, (each, level) in enumerate(zip(codes, held["_levels"], strict=False)):
                if len(each) != len(codes[0]):
                    raise ValueError(f"Unequal code lengths: {[len(one) for one in codes]}")
                _check(each, _count(level), f"On level {at}, ", "level")
            held[_UNSEEN] = False
        return codes

    def set_codes(self: Any, codes: Any) -> None:
        vars(self).update({"_codes": frozen(map(settled, codes)), _UNSEEN: True})

    def set_levels(self: Any, levels: Any) -> None:
        vars(self).update({"_levels": levels, _UNSEEN: True})

    def codes(self: Any) -> Any:
        return frozen(each.view() for each in get_codes(self))

    kind._codes = property(get_codes, set_codes)
    kind._levels = property(lambda self: vars(self).get("_levels", none), set_levels)
    kind.codes = property(codes, doc=vars(kind)["codes"].__doc__)


def _is_of_bytes(array: Any, kind: Any) -> bool:
    base: Any = array.base
    return type(base) is bytes or (issubclass(type(base), kind) and type(base.base) is bytes)


def keep_categories(module: Any) -> None:
    """Let a Categorical look at its codes whenever it is asked for them, and show copies."""
    kind = module.Categorical
    held = vars(kind)["_codes"].fget

    def _codes(self: Any) -> Any:
        found = held(self)
        _check(found, _count(self.dtype.categories), "", "categories")
        return found

    def codes(self: Any) -> Any:
        found = _codes(self).copy()
        found.flags.writeable = False
        return found

    kind._codes, kind.codes = property(_codes), property(codes, doc=vars(kind)["codes"].__doc__)
