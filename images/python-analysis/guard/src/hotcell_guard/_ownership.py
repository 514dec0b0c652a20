"""Whose private attributes an object's are.

A script may use the private attributes that it made itself. Those of a library lead
to modules, registries and text that the library compiles, so they are refused, also
to a class that inherits from the library's: what decides is who uses the name.
"""

from __future__ import annotations

import builtins as python
from abc import ABC
from functools import lru_cache, partial
from types import (
    CodeType,
    FrameType,
    FunctionType,
    MethodType,
    ModuleType,
    SimpleNamespace,
    TracebackType,
)

from hotcell_guard import _rules
from hotcell_guard._gadgets import SimpleNamespace as GuardedNamespace
from hotcell_guard._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Final

__all__ = [
    "NAMESPACES",
    "REGISTER",
    "Ownership",
    "adopt",
    "are_trusted",
    "check_fields",
    "check_hidden",
    "check_made",
    "hides",
    "instance_dict",
    "is_internal",
    "is_own_class",
    "register",
    "registered_first",
    "stands_for",
    "trust_fields",
]

REGISTER: Final = "__(registers the class)"
"""Where a namespace holds what registers its class. It is no identifier, and its begin
keeps pydantic and typing from taking it for a field."""

_PLAIN_MODULES: Final = frozenset(("builtins", "abc", "typing", "collections", "collections.abc", "numbers"))
_HARMLESS: Final = _rules.PRIVATE_ATTRIBUTES | frozenset(
    "_abc_impl _is_protocol _is_runtime_protocol _non_callable_proto_members_ _UserDict__marker".split()
)
_INTERNAL: Final = (ModuleType, FrameType, CodeType, TracebackType)
NAMESPACES: Final = (SimpleNamespace, GuardedNamespace)
"""Classes whose instances hold what the script has put into them."""

_OTHERWISE: Final = (super, type, ModuleType)
"""Classes of the objects about which their class alone does not decide."""

_BUILTIN: Final = frozenset(value for value in vars(python).values() if isinstance(value, type)) - {*_OTHERWISE}
"""Python's own, by identity: a class that is written in C has no ``__module__`` in its namespace,
and what it says of itself can be anything."""

_ANSWERING: Final = ("__getattribute__", "__getattr__")
_HAS_PRIVATE_FIELDS: Final = ("pydantic.main", "BaseModel")
"""A library's class whose ``__getattr__`` looks into the object itself only, where a script's private attributes are."""

_HOLDERS: Final = (*NAMESPACES, partial)
_EXTENSIONS: Final = frozenset(
    """
    _constructor _constructor_sliced _constructor_expanddim
    _pdf _logpdf _cdf _logcdf _sf _logsf _ppf _isf _rvs _stats _munp _entropy _argcheck _get_support _shape_info
    _pmf _logpmf _nonzero _fitstart
    _random
    """.split()
)
"""Private names that libraries document for classes that inherit: pandas', and those of scipy's distributions and engines."""

_PARTS: Final = ("__func__", "fget", "fset", "fdel", "func", "__wrapped__")
"""Where what stands in a class has its functions."""

_super_self: Final = vars(super)["__self__"].__get__
_super_class: Final = vars(super)["__thisclass__"].__get__
_GetSet: Final = type(vars(FunctionType)["__code__"])
_Cached: Final = type(lru_cache(lambda: None))

_REGISTRY: Final = "_abc_impl"
_Registry: Final = type(vars(ABC)[_REGISTRY])
"""Where an abstract class keeps what was registered with it, and what it was asked; in C."""

_own: Final[set[type]] = set()
"""The classes that the script defined, or had a library define. By identity: no class
with an equality of its own gets in (``_types.check_identity``), and nothing that a
class says of itself counts."""


_of_libraries: Final[dict[type, frozenset[str]]] = {}
"""The private names that each class of a library's uses, once they were asked for."""


_private_of: Final[dict[type, frozenset[str]]] = {}
"""The private names that the libraries' bases of a class of the script's use, once they were asked for."""


_behind: Final[dict[FunctionType, FunctionType]] = {}
"""The library's function whose place a function of the guard's has taken: what it uses, its class uses."""


_tables: Final[dict[int, dict[str, Any]]] = {}
"""Tables of fields by their ids. They are kept, so that no other has the id."""


def is_own_class(kind: type) -> bool:
    """Tell whether the script has defined a class, or had a library define it."""
    return kind in _own


def adopt(kind: type) -> None:
    """Take a class for one of the script's: what a library has just made on its behalf."""
    _own.add(kind)


class _Register:
    """The first entry of a new class's namespace: Python tells it which class that has become.

    It does so before any other code can meet the class: before ``__set_name__`` of the
    script's own objects, ``__init_subclass__`` and the rest of a metaclass. A class below
    an abstract one gets what ABCMeta gives it only then, or never: else what is registered
    with it, and what its checks remember, would be written into that of a library's base.
    """

    __slots__ = ()

    def __set_name__(self, owner: type, name: str) -> None:
        if class_dict(owner).get(name) is not self:
            raise TypeError("this registers the class whose namespace holds it")
        type.__delattr__(owner, name)
        if any(_REGISTRY in class_dict(base) for base in mro(owner)[1:]):
            type.__setattr__(owner, _REGISTRY, _Registry())
        _own.add(owner)


def register() -> object:
    """Return the value of the entry REGISTER."""
    return _Register()


def stands_for(function: Any, original: Any) -> None:
    """Take a function for one that stands in the place of a library's."""
    if type(function) is FunctionType and type(original) is FunctionType:
        _behind[function] = original


def hides(kind: type, name: str) -> bool:
    """Tell whether a library's base of a class of the script's keeps something under a name, and for itself."""
    known = _private_of.get(kind)
    if known is None:
        names = (each for each in _names_used(kind) if _rules.is_private(each) or _rules.is_dunder(each))
        known = _private_of[kind] = frozenset(names)
    return name in known


def trust_fields(table: dict[str, Any]) -> None:
    """Take a table of fields for one that dataclass() has made, and that no script holds."""
    _tables[id(table)] = table


def are_trusted(table: object) -> bool:
    """Tell whether dataclass() has made this table: this one, whatever it is equal to."""
    return id(table) in _tables


def registered_first(namespace: dict[str, Any]) -> dict[str, Any]:
    """Put what registers the class at the begin of its namespace, in place."""
    items = dict(dict.items(namespace))
    for name in items:
        dict.__delitem__(namespace, name)
    for name, value in {REGISTER: _Register(), **items}.items():
        dict.__setitem__(namespace, name, value)
    return namespace


def is_internal(value: object) -> bool:
    """Tell whether value is a module or a part of the interpreter."""
    return issubclass(type(value), _INTERNAL)


def instance_dict(obj: object) -> Mapping[str, Any] | None:
    """Return the object's own dict, past what its class says about ``__dict__``, or None."""
    for kind in mro(type(obj)):
        descriptor = class_dict(kind).get("__dict__")
        if type(descriptor) is _GetSet:
            found = descriptor.__get__(obj)
            return found if isinstance(found, dict) else None
    return None


class Ownership:
    """Knows the classes that the script has defined."""

    def __init__(self, builtins: Mapping[str, object]) -> None:
        self._builtins = builtins  # of the script's functions, and of no other
        self.pure: set[type] = set()
        self.open: set[type] = set()
        self._used: dict[type, frozenset[str]] = {}
        self._forwarding: dict[type, bool] = {}

    def add(self, kind: type, body: frozenset[str]) -> None:
        """Take in a class that the script has just defined by a statement. Raises TypeError.

        body holds the names that the class statement's own code uses. A class is pure
        when no base is a library's: then all private names are the script's. Its objects
        are open, whatever its bases: their public attributes are the script's to set.
        """
        _own.add(kind)
        if not issubclass(kind, _OTHERWISE):  # a metaclass's objects are classes, with bases of their own
            self.open.add(kind)
        if kind in self.open and all(self._is_plain(base) for base in mro(kind)[1:]):
            self.pure.add(kind)
        else:
            _check_body(kind, self._names_used(kind) & body)

    def check_bases(self, kind: type, bases: tuple[type, ...], namespace: dict[str, Any], body: frozenset[str]) -> None:
        """Raise TypeError if a class that is about to be made would hide private names of a library's base."""
        if not all(self._is_plain(each) for base in bases for each in mro(base)):
            check_hidden(kind, bases, dict(dict.items(namespace)), body)

    def may_read(self, obj: Any, name: str) -> bool:
        """Tell whether the object's private attribute is the script's own."""
        kind = type(obj)
        if kind in self.pure:
            return True
        if issubclass(kind, super):
            return self._may_read_super(obj, name)
        if issubclass(kind, type):
            return self._may_read_class(obj, name)
        if any(is_own_class(base) for base in mro(kind)):
            return self._may_read_hybrid(obj, name)
        return self._is_annotated(obj, name)

    def is_free(self, kind: type, name: str) -> bool:
        """Tell whether the private attribute of every object of a class is the script's own to read and to set."""
        if kind in self.pure:
            return True
        if not is_own_class(kind) or issubclass(kind, _OTHERWISE) or self.may_forward(kind):
            return False
        return name not in self._names_used(kind)

    def may_forward(self, kind: type) -> bool:
        """Tell whether code of a library answers for what an object of a class of the script's does not hold.

        It can answer with an attribute of any object: ``list[int]`` does with those of list.
        """
        if kind in self.pure:
            return False
        known = self._forwarding.get(kind)
        if known is None:
            own = any(is_own_class(base) for base in mro(kind)) and not issubclass(kind, _OTHERWISE)
            known = self._forwarding[kind] = own and _may_forward(kind)
        return known

    def may_write(self, obj: Any, name: str) -> bool:
        """Tell whether the object's private attribute may be set or deleted."""
        kind = type(obj)
        if kind in self.pure:
            return True
        if issubclass(kind, type):
            return is_own_class(obj) and not self._is_used(obj, name)
        if is_own_class(kind):
            return name not in self._names_used(kind)
        return self.is_own_function(obj) or kind in _HOLDERS or _is_wrapper(kind)

    def _is_used(self, kind: type, name: str) -> bool:
        """Tell whether a library's base of the class, or of one that inherits from it, uses the private name."""
        heirs = type.__subclasses__(kind)
        return name in self._names_used(kind) or any(self._is_used(heir, name) for heir in heirs)

    def is_own(self, obj: Any) -> bool:
        """Tell whether obj is a class or function of the script, or an instance of its class."""
        kind = type(obj)
        if issubclass(kind, type):
            return is_own_class(obj)
        return is_own_class(kind) or self.is_own_function(obj) or kind is partial

    def may_change(self, obj: Any) -> bool:
        """Tell whether a class or descriptor is the script's to change, or a cache around its function."""
        return self.is_own(obj) or (_is_wrapper(type(obj)) and self.is_own_function(vars(obj).get("__wrapped__")))

    def is_own_function(self, obj: Any) -> bool:
        """Tell whether obj is a function or bound method that the script wrote."""
        if type(obj) is MethodType:
            obj = obj.__func__
        return type(obj) is FunctionType and obj.__builtins__ is self._builtins

    def _is_annotated(self, obj: Any, name: str) -> bool:
        """Functions and namespaces hold what the script has put there."""
        if self.is_own_function(obj):
            return True
        held = type(obj) in _HOLDERS or _is_wrapper(type(obj))
        return held and not is_internal((instance_dict(obj) or {}).get(name))

    def _may_read_class(self, obj: Any, name: str) -> bool:
        if obj in self.pure:
            return True
        bases = (*mro(obj), *mro(type(obj)))
        for base in bases:
            if name in class_dict(base):
                return is_own_class(base)
        return any(is_own_class(base) for base in bases) and name not in self._names_used(obj)

    def _may_read_super(self, proxy: Any, name: str) -> bool:
        """Look where the proxy looks: behind its class, for what the script defined there."""
        obj = _super_self(proxy)
        bases = mro(obj if issubclass(type(obj), type) else type(obj))
        start = _super_class(proxy)
        behind = bases[bases.index(start) + 1 :] if start in bases else ()
        holder = next((base for base in behind if name in class_dict(base)), None)
        return holder is not None and is_own_class(holder)

    def _may_read_hybrid(self, obj: Any, name: str) -> bool:
        kind = type(obj)
        if name not in self._names_used(kind):
            return True
        if name in (instance_dict(obj) or ()):
            return False
        holder = next((base for base in mro(kind) if name in class_dict(base)), None)
        return holder is not None and is_own_class(holder)

    def _is_plain(self, base: type) -> bool:
        if base in _own:
            return base in self.pure
        if base in _BUILTIN:
            return True
        home = _home(base)
        tuples = issubclass(base, tuple) and type(base) is type
        if not tuples and home not in _PLAIN_MODULES:
            return False
        if any(name in class_dict(base) for name in _ANSWERING):
            return False
        # What a method of a library's tuple keeps in its object stands in the method's code only.
        names = class_dict(base) if home in _PLAIN_MODULES else {*_class_names(base)}
        return all(not _rules.is_private(name) or name in _HARMLESS for name in names)

    def _names_used(self, kind: type) -> frozenset[str]:
        """Return the private names that the library's classes among the bases use."""
        known = self._used.get(kind)
        if known is None:
            known = self._used[kind] = _names_used(kind)
        return known


def check_hidden(kind: type, bases: Iterable[Any], namespace: Mapping[str, Any], body: frozenset[str]) -> None:
    """Raise TypeError if a class that is about to be made would hide private names of its bases.

    kind is its metaclass; body holds the names that its statement or the call gave. The
    class itself is anybody's from its first hook on (``__init_subclass__``, ``__set_name__``).
    """
    above = [*mro(kind), *(each for base in bases if issubclass(type(base), type) for each in mro(base))]
    used = _used_by(above)
    _check_values(namespace, used & body)
    _check_values(_slots(namespace.get("__slots__", ()), used), used)
    for base in filter(is_own_class, above):  # checked when it was made, for the bases that it has itself
        _check_values(class_dict(base), used - _names_used(base))


def _slots(given: Any, used: frozenset[str]) -> Iterator[str]:
    """Yield the names that slots will have in the class; one that Python mangles is any that ends like it."""
    for name in (given,) if type(given) is str else given:
        yield name
        if name.startswith("__"):
            yield from (each for each in used if each.endswith(name))


def check_made(kind: type, body: frozenset[str]) -> None:
    """Raise TypeError if a class that was made by a call hides private names of its bases.

    body holds the names that the call gave.
    """
    _check_body(kind, _names_used(kind) & body)


def check_fields(kind: type, names: Iterable[str]) -> None:
    """Raise TypeError if a field has a private name of a library's base: native code reads fields."""
    used = _names_used(kind)
    for name in names:
        if name in used and _rules.is_private(name):
            raise TypeError(f"{name!r} is private to a base class of {kind.__name__!r}; choose another name")


def _names_used(kind: type) -> frozenset[str]:
    return _used_by((*mro(kind), *mro(type(kind))))


def _used_by(bases: Iterable[type]) -> frozenset[str]:
    names: set[str] = set()
    for base in bases:
        if not is_own_class(base) and _home(base) not in _PLAIN_MODULES:
            known = _of_libraries.get(base)
            if known is None:
                known = _of_libraries[base] = frozenset(_class_names(base))
            names |= known
    return frozenset(names)


def _check_body(kind: type, used: frozenset[str]) -> None:
    _check_values(class_dict(kind), used)


def _check_values(names: Iterable[str], used: frozenset[str]) -> None:
    """Refuse private names that a library's base class uses itself.

    It believes what it finds there, and a method of its own is handed what no script
    is to hold: frames' namespaces, an array over memory that it frees.
    """
    for name in names:
        if name in used and _rules.is_private(name) and name not in _EXTENSIONS:
            raise TypeError(f"{name!r} is private to a base class; choose another name")


def _is_wrapper(kind: type) -> bool:
    """Tell whether kind is what ``functools.lru_cache`` makes of a function."""
    return kind is _Cached


def _home(kind: type) -> object:
    """Return the module that a library's class is of, past what a metaclass would answer."""
    return class_dict(kind).get("__module__", "builtins" if kind in _BUILTIN else None)


def _may_forward(kind: type) -> bool:
    answered = False  # by the script's own __getattr__, which stands before those of its bases
    for base in mro(kind):
        names = class_dict(base)
        if is_own_class(base):
            answered = answered or "__getattr__" in names
        elif base not in _BUILTIN:
            if "__getattribute__" in names:
                return True
            own = (_home(base), vars(type)["__name__"].__get__(base)) == _HAS_PRIVATE_FIELDS
            if "__getattr__" in names and not answered and not own:
                return True
    return False


def _class_names(base: type) -> Iterator[str]:
    for name, value in class_dict(base).items():
        yield name
        for function in (value, *(getattr(value, part, None) for part in _PARTS)):
            while type(function) is FunctionType:
                yield from _code_names(function.__code__)
                function = _behind.get(function)


def _code_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if type(constant) is str and constant.isidentifier():
            yield constant
        elif type(constant) is CodeType:
            yield from _code_names(constant)
