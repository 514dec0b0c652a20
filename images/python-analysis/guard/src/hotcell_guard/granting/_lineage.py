"""``__mro__``, ``__bases__``, ``__subclasses__()``, ``__wrapped__``, ``__defaults__``, ``__self__`` and the like.

Of the script's own, what it could name anyway. A library's class behind a base that the script has named
is shown as one of the same name that holds nothing.
"""

from __future__ import annotations

import abc
import sys
import types

from hotcell_guard.granting import _types
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._ownership import instance_dict
from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["NAMES", "read"]

NAMES: Final = frozenset(
    """
    __bases__ __dataclass_fields__ __defaults__ __del__ __func__ __getstate__ __kwdefaults__ __mro__ __self__ __setstate__
    __subclasses__ __wrapped__ mro
    """.split()
)
_OWN_METHODS: Final = frozenset(("__del__", "__getstate__", "__setstate__"))
_OF_FUNCTIONS: Final = frozenset(("__defaults__", "__func__", "__kwdefaults__", "__self__"))

_bases_of: Final = vars(type)["__bases__"].__get__
_BUILTIN: Final = _types.BUILTIN_CLASSES | {id(abc.ABC)}


def read(obj: Any, name: str, is_own_function: Callable[[Any], bool]) -> Any:
    """Return the value of one of the names. Raises AttributeError where it is not the script's to have."""
    if name == "__wrapped__":
        return _wrapped(obj, is_own_function)
    if name in _OWN_METHODS:
        found = getattr(obj, name)
        if not is_own_function(found):
            raise AttributeError(f"{name!r} is there of the script's own classes")
        return found
    if name in _OF_FUNCTIONS:
        return _part(obj, name, is_own_function)
    if name == "mro" and not issubclass(type(obj), type):
        raise AttributeError("'mro' is there of the script's own classes, by no other object")
    kind = obj if issubclass(type(obj), type) else type(obj)
    if name == "__dataclass_fields__":
        return _fields(kind)
    if kind is not obj or not (is_own_class(kind) or (id(kind) in _BUILTIN and name != "__subclasses__")):
        raise AttributeError(f"{name!r} is there of the script's own classes; use isinstance(), issubclass() or super()")
    if name == "__subclasses__":
        return lambda: [heir for heir in type.__subclasses__(kind) if is_own_class(heir)]
    line = _bases_of(kind) if name == "__bases__" else mro(kind)
    found = tuple(dict.fromkeys(map(_shown, line, [_named(kind)] * len(line))))
    return (lambda: list(found)) if name == "mro" else found


def _part(obj: Any, name: str, is_own_function: Callable[[Any], bool]) -> Any:
    """Return what a function of the script's holds of its defaults, or a method of its own of what it is bound to."""
    bound = type(obj) is types.MethodType
    if not is_own_function(obj) or (name in ("__func__", "__self__") and not bound):
        raise AttributeError(f"{name!r} is there of the script's own functions and methods")
    held = obj.__func__ if bound else obj
    match name:
        case "__func__":
            return held
        case "__self__":
            return obj.__self__
        case "__defaults__":
            return held.__defaults__
    return None if held.__kwdefaults__ is None else dict(held.__kwdefaults__)


def _is_known(kind: Any) -> bool:
    typing = vars(sys.modules.get("typing", types))
    return is_own_class(kind) or id(kind) in _BUILTIN or kind is typing.get("Generic") or kind is typing.get("Protocol")


def _named(kind: Any) -> set[int]:
    """Return the ids of a class's bases, and its own bases', that the script's class statements have named."""
    own = [each for each in mro(kind) if is_own_class(each) and "__orig_bases__" not in class_dict(each)]
    return {id(base) for each in own for base in _bases_of(each) if not str(vars(type)["__name__"].__get__(base)).startswith("_")}


def _shown(kind: Any, named: set[int]) -> Any:
    """Return a class that the script knows, and of another one that has its name and nothing else."""
    if type in mro(kind):
        return kind if is_own_class(kind) else _types.shown(kind)
    if _is_known(kind) or id(kind) in named:
        return _types.shown(kind)
    known = _NAMES_ALONE.get(kind)
    if known is None:
        texts = {name: str(vars(type)[name].__get__(kind)) for name in ("__name__", "__module__", "__qualname__")}
        known = _NAMES_ALONE[kind] = type(texts.pop("__name__"), (), {**texts, "__slots__": ()})
    return known


_NAMES_ALONE: Final[dict[type, type]] = {}


def _wrapped(obj: Any, is_own_function: Callable[[Any], bool]) -> Any:
    """Return the function of the script's that a wrapper holds itself; nothing answers for it."""
    inner = (instance_dict(obj) or {}).get("__wrapped__")
    if not is_own_function(inner):
        raise AttributeError("'__wrapped__' is there of what stands around a function of the script's")
    return inner


def _fields(kind: type) -> dict[str, Any]:
    """Return a copy: what a dataclass keeps there is read by native code."""
    spaces = map(class_dict, mro(kind))
    held = next((space["__dataclass_fields__"] for space in spaces if "__dataclass_fields__" in space), None)
    if type(held) is not dict or not is_own_class(kind):
        raise AttributeError("'__dataclass_fields__' is there of the script's own dataclasses; use dataclasses.fields()")
    return dict(held)
