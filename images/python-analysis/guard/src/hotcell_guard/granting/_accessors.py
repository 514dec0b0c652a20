"""What a script's loops call for an attribute: a plain function whose variables are its own is called fastest.

Each knows names, never objects, and asks the real type. What it does not know, ``_attributes`` decides.
"""

from __future__ import annotations

import builtins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["ABSENT", "owner", "reader", "real_delete", "real_get", "real_set", "writer"]

ABSENT: Final = object()

real_get: Final = builtins.getattr
real_set: Final = builtins.setattr
real_delete: Final = builtins.delattr


def reader(
    ask: Callable[[Any, str, object], Any],
    public: set[str],
    private: set[str],
    pure: set[type],
    free: Mapping[type, set[str]],
) -> Callable[..., Any]:
    """Return what reads an attribute, or its safe form. ask decides about what is not known."""
    get, absent, nothing = real_get, ABSENT, frozenset[str]()

    def read(obj: Any, name: str, default: object = absent) -> Any:
        """Return the attribute, or its safe form."""
        if type(name) is str:  # a subclass could compare as it likes
            kind = type(obj)
            if name in public or (name in private and kind in pure) or name in free.get(kind, nothing):
                return get(obj, name) if default is absent else get(obj, name, default)
        return ask(obj, name, default)

    return read


def owner(
    ask: Callable[[Any, str], Any], settable: set[str], unshared: set[type], free: Mapping[type, set[str]]
) -> Callable[[Any, str], Any]:
    """Return what returns an object if its attribute may be changed. Its names are the tree's."""
    nothing = frozenset[str]()

    def own(obj: Any, name: str) -> Any:
        """Return obj if its attribute may be changed, also in place."""
        kind = type(obj)
        if (name in settable and kind in unshared) or name in free.get(kind, nothing):
            return obj
        return ask(obj, name)

    return own


def writer(
    ask: Callable[[Any, str, object], None], settable: set[str], unshared: set[type]
) -> Callable[[Any, str, object], None]:
    """Return what sets an attribute."""
    put = real_set

    def write(obj: Any, name: str, value: object) -> None:
        """Set the attribute."""
        if type(name) is str and name in settable and type(obj) in unshared:
            put(obj, name, value)
        else:
            ask(obj, name, value)

    return write
