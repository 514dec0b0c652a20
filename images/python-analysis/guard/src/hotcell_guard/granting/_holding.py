"""Attributes that an object, or a class of the script's, holds itself: no library's code answers for them."""

from __future__ import annotations

from hotcell_guard.granting._accessors import ABSENT, real_delete, real_set
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["Held", "held_by"]


def held_by(obj: Any, name: str, default: object = ABSENT) -> Any:
    """Return what an object or its class holds, or what a class of the script's answers; no library's code is asked."""
    try:
        try:
            return object.__getattribute__(obj, name)
        except AttributeError:
            holder = next((base for base in mro(type(obj)) if "__getattr__" in class_dict(base)), None)
            if holder is None or not is_own_class(holder):
                raise
            return class_dict(holder)["__getattr__"](obj, name)
    except AttributeError:
        if default is ABSENT:
            raise
        return default


class Held:
    """Stands for an object whose attribute is changed in place: what is read before is what the object holds."""

    __slots__ = ("_of",)

    def __init__(self, obj: Any) -> None:
        object.__setattr__(self, "_of", obj)

    def __getattribute__(self, name: str) -> Any:
        return held_by(_of(self), name)

    def __setattr__(self, name: str, value: object) -> None:
        real_set(_of(self), name, value)

    def __delattr__(self, name: str) -> None:
        real_delete(_of(self), name)


_of: Final = vars(Held)["_of"].__get__
