"""Special methods read from a class: a library's takes its own objects only.

A method written in Python believes that self is what its class makes. With a foreign
one, ``enum.property.__get__(mine, obj)`` reads any attribute by name, and
``BaseIndexer.__init__(obj, **{name: value})`` sets it. So the script gets such a
function in a form that looks at the real type of self, as those written in C do.

Two kinds are looked at whatever they are written in. ``__array_ufunc__`` and
``__array_function__`` call an attribute of another object by a name that they are told.
``__init__`` of an object that lives already makes another of it: of a library's property
the script's, of a ``struct.Struct`` one that reads beyond its buffer.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType

from hotcell_guard.granting import _types
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._ownership import Ownership

__all__ = ["checked"]

_BINDERS: Final = frozenset(("__get__", "__set__", "__delete__"))
_COMPILED: Final = frozenset(("cython_function_or_method", "fused_cython_function"))
_Wrapper: Final = type("".__len__)
_BOUND: Final = (MethodType, _Wrapper)
_super_self: Final = vars(super)["__self__"].__get__
_super_class: Final = vars(super)["__thisclass__"].__get__
_getter_of: Final = vars(property)["fget"].__get__


def checked(obj: Any, name: str, value: Any, ownership: Ownership) -> Any:
    """Return a special method that was read of obj, or its form that looks at self.

    Raises AttributeError for the binding of a library's function or descriptor.
    """
    if name in _BINDERS and not _may_bind(value, ownership):
        raise AttributeError(f"{name!r} of an object that a library made is not available; use the attribute itself")
    if ownership.is_own_function(value):
        return value
    form = _form(obj, name, value)
    if name in _DISPATCHERS:
        return _dispatcher(value, form, _DISPATCHERS[name])
    return _initialiser(value, form) if name == "__init__" else form


def _form(obj: Any, name: str, value: Any) -> Any:
    if not _is_function(value):
        return _types.shown(value)
    holder = _holder(obj, name)
    if holder is None and not issubclass(type(obj), (type, super)):
        # A method of an object is bound to it. What is not was forwarded: by list[int], say.
        raise AttributeError(f"{name!r} of this object is not available; use its class")
    if holder is None:
        return value
    return _maker(value, holder) if name == "__new__" else _method(value, holder)


def _initialiser(value: Any, form: Callable[..., Any]) -> Callable[..., Any]:
    """Return what initialises objects of the script's classes only."""
    if type(value) in _BOUND:
        if not is_own_class(type(value.__self__)):
            raise AttributeError("'__init__' cannot be called again on an object that exists already; make another one")
        return form

    def initialise(*args: Any, **kwargs: Any) -> Any:
        if not args or not is_own_class(type(args[0])):
            raise TypeError("the first argument of '__init__' must be an object of a class of the script")
        return form(*args, **kwargs)

    return _named(initialise, value)


def _dispatcher(value: Any, form: Callable[..., Any], check: Callable[..., None]) -> Callable[..., Any]:
    """Return what calls by name only what numpy itself dispatches."""
    first = int(getattr(value, "__self__", None) is None)

    def dispatch(*args: Any, **kwargs: Any) -> Any:
        check(*args[first : first + 2])
        return form(*args, **kwargs)

    return _named(dispatch, value)


def _check_ufunc(ufunc: object = None, method: object = None) -> None:
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or type(ufunc) is not numpy.ufunc or type(method) is not str or method not in _OF_UFUNCS:
        raise TypeError("the first arguments of __array_ufunc__ must be a ufunc of numpy and the name of one of its methods")


def _check_function(function: object = None, types: object = None) -> None:
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or type(function) is not type(numpy.concatenate):
        raise TypeError("the first argument of __array_function__ must be a function of numpy")


_DISPATCHERS: Final = {"__array_ufunc__": _check_ufunc, "__array_function__": _check_function}
_OF_UFUNCS: Final = frozenset(("__call__", "reduce", "reduceat", "accumulate", "outer", "at"))


def _is_function(value: object) -> bool:
    return type(value) is FunctionType or type(value).__name__ in _COMPILED


def _may_bind(value: object, ownership: Ownership) -> bool:
    """Tell whether a descriptor's method may be had: it calls a function with any object as self."""
    if type(value) is MethodType:
        return ownership.is_own_function(value)
    if type(value) is not _Wrapper:
        return True
    described: Any = value.__self__  # type: ignore[attr-defined]
    if ownership.is_own(described):
        return True
    if type(described) is property:
        described = _getter_of(described)
    elif type(described) in (classmethod, staticmethod):
        described = described.__func__
    return ownership.is_own_function(described) or not (_is_function(described) or type(described) is MethodType)


def _holder(obj: Any, name: str) -> type | None:
    """Return the class whose function the name is, read of a class or of super of one."""
    if issubclass(type(obj), type):
        bases = mro(obj)
    elif issubclass(type(obj), super):
        found = _super_self(obj)
        bases = mro(found if issubclass(type(found), type) else type(found))
        start = _super_class(obj)
        bases = bases[bases.index(start) + 1 :] if start in bases else ()
    elif name == "__new__":
        bases = mro(type(obj))
    else:
        return None
    holder = next((base for base in bases if name in class_dict(base)), None)
    if holder is None or (name != "__new__" and type(class_dict(holder)[name]) is staticmethod):
        return None
    return holder  # type: ignore[no-any-return]


def _method(function: Callable[..., Any], holder: type) -> Callable[..., Any]:
    def method(*args: Any, **kwargs: Any) -> Any:
        if not args or holder not in mro(type(args[0])):
            raise TypeError(f"the first argument of {function.__name__!r} of {holder.__name__!r} must be an object of that class")
        return function(*args, **kwargs)

    return _named(method, function)


def _maker(function: Callable[..., Any], holder: type) -> Callable[..., Any]:
    """Return the form of a class's ``__new__``: that of a metaclass looks at the namespace, too."""

    def make(*args: Any, **kwargs: Any) -> Any:
        if not args or not issubclass(type(args[0]), type) or holder not in mro(args[0]):
            raise TypeError(f"the first argument of '__new__' of {holder.__name__!r} must be that class or a subclass of it")
        if type not in mro(args[0]):
            return function(*args, **kwargs)
        return _types.made_by(function, *args, **kwargs)

    return _named(make, function)


def _named(form: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    form.__name__, form.__qualname__, form.__doc__ = function.__name__, function.__qualname__, function.__doc__
    return form
