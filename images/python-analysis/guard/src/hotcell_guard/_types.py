"""``type`` for the script: it makes classes only of what a class statement may hold.

``type("A", (), {"__array_interface__": ...})`` is a class statement that nobody has
read, and every metaclass is another way to write it. So the script gets stand-ins:
subclasses of the real metaclasses whose ``__new__`` looks at the namespace. The real
ones are not handed out: ``type(x)`` and ``x.__class__`` give the stand-in.
"""

from __future__ import annotations

from types import GenericAlias

from hotcell_guard import _rules
from hotcell_guard._ownership import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["check_metaclass", "checked_namespace", "confined", "shown", "stand_in"]

_ALLOWED: Final = _rules.METHOD_DUNDERS | _rules.CLASS_DUNDERS | _rules.CLASS_STATEMENT_DUNDERS
_MEMORY: Final = frozenset(("__array_interface__", "__array_struct__"))
"""numpy takes what an object answers to these for addresses of memory."""
_mro: Final = vars(type)["__mro__"].__get__


class _Meta(type):
    """The class of the stand-ins."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is _Type and len(args) == 1 and not kwargs:
            kind = type(args[0])
            return shown(kind) if issubclass(kind, type) else kind
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance: object) -> bool:
        real = _REAL.get(cls)
        return type.__instancecheck__(cls, instance) if real is None else isinstance(instance, real)

    def __subclasscheck__(cls, subclass: type) -> bool:
        real = _REAL.get(cls)
        return type.__subclasscheck__(cls, subclass) if real is None else issubclass(subclass, real)


class _Type(type, metaclass=_Meta):
    """type(object) -> the object's type
    type(name, bases, dict, **kwds) -> a new type"""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **kwargs: Any) -> Any:
        made = super().__new__(mcs, name, bases, checked_namespace(namespace), **kwargs)
        check_metaclass(made)
        return made

    def __class_getitem__(cls, item: object) -> object:
        return GenericAlias(cls, item)


_REAL: Final[dict[type, type]] = {_Type: type}
_SHOWN: Final[dict[type, type]] = {type: _Type, _Meta: _Type}
_Type.__name__ = _Type.__qualname__ = "type"
_Type.__module__ = "builtins"


def shown(value: Any) -> Any:
    """Return value, or its stand-in when it is a metaclass that the script must not call."""
    if not type.__instancecheck__(type, value) or type not in _mro(value):
        return value
    if value not in _REAL and _Type in _mro(value):
        return value  # the script's own metaclass
    return stand_in(value)


def stand_in(metaclass: type) -> type:
    """Return the checking form of a metaclass; for one that checks, itself."""
    if metaclass in _REAL:
        return metaclass
    known = _SHOWN.get(metaclass)
    if known is None:
        body = {name: getattr(metaclass, name) for name in ("__module__", "__qualname__", "__doc__")}
        known = _SHOWN[metaclass] = _Meta(metaclass.__name__, (metaclass, _Type), body)
        _REAL[known] = metaclass
    return known


def check_metaclass(kind: type) -> None:
    """Raise TypeError for a metaclass that makes classes without a look at their namespace."""
    if type not in _mro(kind):
        return
    if _Type not in _mro(kind):
        raise TypeError("this metaclass cannot be inherited from; inherit from type, or from type(a class)")
    if not {"__eq__", "__hash__"}.isdisjoint(vars(kind)):
        # Own classes are known by a set, and equality would be its judge.
        raise TypeError("a metaclass cannot define __eq__ or __hash__")


def confined(fallback: Any) -> Any:
    """Return a class's ``__getattr__`` that does not answer what numpy reads memory by."""
    if fallback is None:
        return fallback

    def __getattr__(self: Any, name: str) -> Any:  # noqa: N807
        if name in _MEMORY:
            raise AttributeError(name)
        bind = getattr(type(fallback), "__get__", None)
        return fallback(name) if bind is None else bind(fallback, self, type(self))(name)

    return __getattr__


def checked_namespace(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return an exact copy of a class's namespace. Raises TypeError for what may not be in it.

    The mark of the script's classes is left out: only the class statement gives it.
    """
    checked: dict[str, Any] = {}
    for key, value in namespace.items():
        name = str.__str__(key)
        if _rules.is_dunder(name) and name not in _ALLOWED:
            raise TypeError(f"a class cannot define the special name {name!r}; use an ordinary method")
        checked[name] = value
    if checked.get("__module__", "__main__") != "__main__":
        raise TypeError("the special name '__module__' of a class cannot be changed")
    checked.pop(MARK, None)
    if "__getattr__" in checked:
        checked["__getattr__"] = confined(checked["__getattr__"])
    _check_annotations(checked.get("__annotations__", {}))
    return checked


def _check_annotations(annotations: object) -> None:
    """Libraries write the names of annotations into code that they compile."""
    if type(annotations) is not dict:
        raise TypeError("the annotations of a class must be a dict")
    for name in annotations:
        if type(name) is not str or not name.isidentifier():
            raise TypeError("the names in a class's annotations must be identifiers")
