"""``type`` for the script: it makes classes only of what a class statement may hold.

``type("A", (), {"__array_interface__": ...})`` is a class statement that nobody has
read, and every metaclass is another way to write it. So the script gets stand-ins:
subclasses of the real metaclasses whose ``__new__`` looks at the namespace. The real
ones are not handed out: ``type(x)`` and ``x.__class__`` give the stand-in.
"""

from __future__ import annotations

import builtins
import enum
from types import FunctionType, GenericAlias

from hotcell_guard.granting._own import are_trusted, is_own_class, registered_first
from hotcell_guard.granting._privates import check_hidden, check_made, hides
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = [
    "BUILTIN_CLASSES",
    "check_bases",
    "check_identity",
    "check_metaclass",
    "checked_annotations",
    "checked_namespace",
    "close",
    "confined",
    "discreet",
    "hide_in_annotations",
    "made_by",
    "replace",
    "shown",
    "shown_annotations",
    "stand_in",
]

_ALLOWED: Final = (
    _rules.METHOD_DUNDERS | _rules.CLASS_DUNDERS | _rules.NAME_DUNDERS | _rules.CLASS_STATEMENT_DUNDERS
)
_MEMORY: Final = frozenset(("__array_interface__", "__array_struct__"))
"""numpy takes what an object answers to these for addresses of memory."""
_PLAIN: Final = (object, type)
BUILTIN_CLASSES: Final = frozenset(id(vars(builtins).get(name)) for name in _rules.BUILTINS)
"""Classes that every script can name, by identity: they live as long as the interpreter."""
_ENUM_NAMES: Final = frozenset(name for name in (*vars(enum.Enum), *vars(enum.Flag)) if name.endswith("_"))
"""What EnumType itself puts into a namespace before it makes the class."""


class _Meta(type):
    """The class of the stand-ins."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is _Type and len(args) == 1 and not kwargs:
            kind = type(args[0])
            if issubclass(kind, type):
                return shown(kind)
            return _REPLACED_KINDS.get(kind, kind)  # an object of a library's can be one of what views do not show
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance: object) -> bool:
        real = _REAL.get(cls)
        return type.__instancecheck__(cls, instance) if real is None else isinstance(instance, real)

    def __subclasscheck__(cls, subclass: type) -> bool:
        real = _REAL.get(cls)
        return type.__subclasscheck__(cls, subclass) if real is None else issubclass(subclass, real)


class _Type(type, metaclass=_Meta):
    """type(object) -> the object's type
    type(name, bases, dict, **kwds) -> a new type"""  # noqa: D205, D209, D400  # Python's own words

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /, **kwargs: Any) -> Any:  # noqa: N804
        return made_by(super().__new__, mcs, name, bases, namespace, **kwargs)

    def __class_getitem__(cls, item: object) -> object:
        return GenericAlias(cls, item)


_REAL: Final[dict[type, type]] = {_Type: type}
_CLOSED: Final[set[type]] = set()
_SHOWN: Final[dict[type, type]] = {type: _Type, _Meta: _Type}
_REPLACED: Final[dict[int, tuple[object, object]]] = {}
"""What is shown instead of an object, by its id; the object is kept, so that no other has it."""
_REPLACED_KINDS: Final[dict[type, object]] = {}
"""The same of classes. To ask for an id is an audit event, which takes longer than all of ``type(x)``."""
_Type.__name__ = _Type.__qualname__ = "type"
_Type.__module__ = "builtins"


def replace(original: object, replacement: object) -> None:
    """Show replacement instead of original from now on, wherever it is found and whatever it is called there."""
    _REPLACED[id(original)] = original, replacement
    if issubclass(type(original), type):
        _REPLACED_KINDS[original] = replacement  # type: ignore[index]


def shown(value: Any) -> Any:
    """Return value, or its stand-in: for what was replaced, and a metaclass that the script must not call."""
    replaced = _REPLACED.get(id(value))
    if replaced is not None:
        return replaced[1]
    if not type.__instancecheck__(type, value) or type not in mro(value):
        return value
    if value not in _REAL and _Type in mro(value):
        return value  # the script's own metaclass
    return stand_in(value)


def shown_annotations(value: Any) -> Any:
    """Return ``__annotations__`` without real metaclasses; as it is when there are none."""
    if type(value) is not dict:
        return shown(value)
    safe = {name: shown(each) for name, each in value.items()}
    return value if all(safe[name] is each for name, each in value.items()) else safe


def stand_in(metaclass: type) -> type:
    """Return the checking form of a metaclass; for one that checks, itself."""
    if metaclass in _REAL:
        return metaclass
    known = _SHOWN.get(metaclass)
    if known is None:
        body = {name: getattr(metaclass, name) for name in ("__module__", "__qualname__", "__doc__")}
        try:
            known = _SHOWN[metaclass] = _Meta(metaclass.__name__, (metaclass, _Type), body)
        except TypeError:  # numpy's of its dtypes: nobody inherits from it, or makes classes by it
            _SHOWN[metaclass] = _Type
            return _Type
        known.__new__ = staticmethod(_checking(known))  # type: ignore[method-assign]
        _REAL[known] = metaclass
    return known


def _checking(kind: Any) -> Any:
    """Return a stand-in's ``__new__``: some metaclasses, as that of TypedDict, call type's past _Type."""

    def __new__(mcs: type, name: str, bases: tuple[type, ...], namespace: Any, /, **kwargs: Any) -> Any:  # noqa: N807
        return made_by(super(kind, mcs).__new__, mcs, name, bases, namespace, **kwargs)

    return __new__


def close(metaclass: type) -> None:
    """Let a library's metaclass, which a script finds under a public name, look at what it makes. Repeatable."""
    if metaclass in _CLOSED:
        return
    _CLOSED.add(metaclass)
    original: Any = metaclass.__new__

    def __new__(mcs: type, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
        return made_by(original, mcs, *args, **kwargs)

    metaclass.__new__ = staticmethod(__new__)  # type: ignore[method-assign,assignment]


def hide_in_annotations(module: Any) -> None:
    """Let the annotations of a module's functions hold the stand-in: libraries take keys and casts from them."""
    for function in vars(module).values():
        if type(function) is FunctionType:
            function.__annotations__ = shown_annotations(function.__annotations__)


def made_by(function: Any, mcs: type, name: str, bases: tuple[type, ...], namespace: Any, /, **kwargs: Any) -> Any:
    """Make a class by a metaclass's ``__new__`` after a look at its namespace, and look at the class.

    An enumeration's namespace stays of its type: EnumType asks it for the members, and
    hands it on to _Type. Nothing that is looked at here is the script's own object: it
    could change between the look and the making.
    """
    body = checked_namespace(namespace)
    names = frozenset(body)
    if issubclass(mcs, enum.EnumType):
        if type(namespace) is enum._EnumDict:
            body = _enumeration(namespace, body)
        names -= _ENUM_NAMES
    check_identity(mcs)
    if type(bases) is not tuple:  # a subclass could tell others other bases
        raise TypeError("the bases of a class must be a tuple")
    check_bases(bases, body)
    check_hidden(mcs, bases, body, names)
    made = function(mcs, name, bases, registered_first(body), **kwargs)
    check_metaclass(made)
    check_made(made, names)
    return made


def _enumeration(namespace: Any, body: dict[str, Any]) -> dict[str, Any]:
    """Return an enumeration's namespace that nobody else holds, with this body and what the given one says of its members."""
    own: Any = enum._EnumDict()
    for name, value in vars(namespace).items():
        vars(own)[name] = type(value)(value) if type(value) in (dict, list) else value
    for name, value in body.items():
        dict.__setitem__(own, name, value)
    return own  # type: ignore[no-any-return]


def check_identity(kind: type) -> None:
    """Raise TypeError for a metaclass whose classes are not known by identity."""
    for name in ("__eq__", "__hash__"):
        if next((base for base in mro(kind) if name in vars(base)), object) not in _PLAIN:
            # Own classes are known by a set, and equality would be its judge.
            raise TypeError("a metaclass cannot define or inherit __eq__ or __hash__")


def check_bases(bases: tuple[Any, ...], body: dict[str, Any]) -> None:
    """Raise TypeError for a metaclass that makes classes without a look at their namespace, before it is made.

    What is only refused afterwards has been kept by its first hook.
    """
    above = [base for base in bases if issubclass(type(base), type) and type in mro(base)]
    if not above:
        return
    if not any(_Type in mro(base) for base in above):
        raise TypeError("this metaclass cannot be inherited from; inherit from type, or from type(a class)")
    for name in ("__eq__", "__hash__", "mro"):  # mro gets a class before that is the script's, and says what it inherits from
        if name in body or any(name in vars(each) for base in bases for each in mro(base) if each not in _PLAIN):
            raise TypeError("a metaclass cannot define or inherit __eq__, __hash__ or mro")


def check_metaclass(kind: type) -> None:
    """Raise TypeError for a metaclass that makes classes without a look at their namespace."""
    if type not in mro(kind):
        return
    if _Type not in mro(kind):
        raise TypeError("this metaclass cannot be inherited from; inherit from type, or from type(a class)")
    check_identity(kind)


def confined(fallback: Any) -> Any:
    """Return a class's ``__getattr__`` that does not answer what numpy reads memory by."""
    if fallback is None:
        return fallback

    def __getattr__(self: Any, name: str) -> Any:
        if name in _MEMORY:
            raise AttributeError(name)
        bind = getattr(type(fallback), "__get__", None)
        return fallback(name) if bind is None else bind(fallback, self, type(self))(name)

    return __getattr__


def discreet(setter: Any) -> Any:
    """Return a class's ``__setattr__`` that is not told what a library's base keeps under private names: modules, say."""

    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807
        kind = type(self)
        if name[:1] == "_" and hides(kind, name):
            holder = next(base for base in mro(kind) if "__setattr__" in class_dict(base) and not is_own_class(base))
            class_dict(holder)["__setattr__"].__get__(self, kind)(name, value)
            return
        bind = getattr(type(setter), "__get__", None)
        if bind is None:
            setter(name, value)
        else:
            bind(setter, self, kind)(name, value)

    return __setattr__


def _knowing(hook: Any) -> Any:
    """Return a class's ``__subclasshook__`` that is asked about classes that the script knows: an abc is asked about any."""
    if type(hook) is not classmethod:
        raise TypeError("__subclasshook__ must be a classmethod")
    function: Any = hook.__func__

    def __subclasshook__(cls: type, other: Any, /) -> Any:  # noqa: N807
        known = is_own_class(other) or id(other) in BUILTIN_CLASSES
        return function(cls, other) if known else NotImplemented

    return classmethod(__subclasshook__)


def _exact_slots(slots: Any) -> Any:
    """Return slots whose names are looked at once. Raises TypeError."""
    if isinstance(slots, str):
        return str.__str__(slots)
    names = list(dict.keys(slots)) if isinstance(slots, dict) else list(slots)
    if not all(issubclass(type(each), str) for each in names):
        raise TypeError("__slots__ items must be strings")
    exact = map(str.__str__, names)
    if isinstance(slots, dict):
        return dict(zip(exact, dict.values(slots), strict=True))
    return list(exact) if type(slots) is list else tuple(exact)


def checked_namespace(namespace: dict[str, Any]) -> dict[str, Any]:
    """Return an exact copy of a class's namespace. Raises TypeError for what may not be in it."""
    if not issubclass(type(namespace), dict):
        raise TypeError("the namespace of a class must be a dict")
    checked: dict[str, Any] = {}
    for key, value in dict.items(namespace):
        if not issubclass(type(key), str):
            raise TypeError("the names in a class's namespace must be strings")
        name = str.__str__(key)
        if _rules.is_dunder(name) and name not in _ALLOWED:
            raise TypeError(f"a class cannot define the special name {name!r}; use an ordinary method")
        checked[name] = value
    module = checked.setdefault("__module__", "__main__")  # else Python takes that of its caller, who is the guard
    if type(module) is not str or module != "__main__":  # a subclass answers for itself
        raise TypeError("the special name '__module__' of a class cannot be changed")
    if "__getattr__" in checked:
        checked["__getattr__"] = confined(checked["__getattr__"])
    if "__setattr__" in checked:
        checked["__setattr__"] = discreet(checked["__setattr__"])
    if "__subclasshook__" in checked:
        checked["__subclasshook__"] = _knowing(checked["__subclasshook__"])
    if "__slots__" in checked:
        checked["__slots__"] = _exact_slots(checked["__slots__"])
    if "__annotations__" in checked:
        checked["__annotations__"] = checked_annotations(checked["__annotations__"])
    if "__dataclass_fields__" in checked and not are_trusted(checked["__dataclass_fields__"]):
        # Native code (pydantic's) reads attributes by the names in that table.
        raise TypeError("only dataclass() can make a class's table of fields")
    return checked


def checked_annotations(annotations: Any) -> dict[str, Any]:
    """Return an exact copy. Libraries write the names of annotations into code that they compile."""
    if type(annotations) is not dict:
        raise TypeError("the annotations of a class must be a dict")
    copy = dict(annotations)
    for name in copy:
        if type(name) is not str or not name.isidentifier():
            raise TypeError("the names in a class's annotations must be identifiers")
    return copy
