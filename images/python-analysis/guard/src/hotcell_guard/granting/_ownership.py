"""Whose private attributes an object's are.

A script may use the private attributes that it made itself. Those of a library lead
to modules, registries and text that the library compiles, so they are refused, also
to a class that inherits from the library's: what decides is who uses the name.
"""

from __future__ import annotations

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

from hotcell_guard.granting import _drawn, _privates
from hotcell_guard.granting._namespace import SimpleNamespace as GuardedNamespace
from hotcell_guard.granting._own import adopt, is_own_class
from hotcell_guard.granting._privates import BUILTIN, OTHERWISE, PLAIN_MODULES
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

__all__ = ["NAMESPACES", "Ownership", "instance_dict", "is_internal"]

_HARMLESS: Final = _rules.PRIVATE_ATTRIBUTES | frozenset(
    "_abc_impl _is_protocol _is_runtime_protocol _non_callable_proto_members_ _UserDict__marker "
    "_OrderedDict__marker _OrderedDict__update".split()
)
NAMESPACES: Final = (SimpleNamespace, GuardedNamespace)
"""Classes whose instances hold what the script has put into them."""

_ANSWERING: Final = ("__getattribute__", "__getattr__")
_HAS_PRIVATE_FIELDS: Final = ("pydantic.main", "BaseModel")
"""A library's class whose ``__getattr__`` looks into the object itself only, where a script's private attributes are."""

_HOLDERS: Final = (*NAMESPACES, partial)
_super_self: Final = vars(super)["__self__"].__get__
_super_class: Final = vars(super)["__thisclass__"].__get__
_Cached: Final = type(lru_cache(lambda: None))

_METHODS: Final = (FunctionType, classmethod, staticmethod, property)
"""Classes of what a library's class offers its heirs under a private name."""

_INTERNAL: Final = (ModuleType, FrameType, CodeType, TracebackType)
_GetSet: Final = type(vars(FunctionType)["__code__"])


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

    def __repr__(self) -> str:
        return "<ownership>"  # as of Attributes

    def add(self, kind: type, body: frozenset[str]) -> None:
        """Take in a class that the script has just defined by a statement. Raises TypeError.

        body holds the names that the class statement's own code uses. A class is pure
        when no base is a library's: then all private names are the script's. Its objects
        are open, whatever its bases: their public attributes are the script's to set.
        """
        adopt(kind)
        if not issubclass(kind, OTHERWISE):  # a metaclass's objects are classes, with bases of their own
            self.open.add(kind)
        if kind in self.open and all(self._is_plain(base) for base in mro(kind)[1:]):
            self.pure.add(kind)
        else:
            _privates.check_body(kind, self._names_used(kind) & body)

    def check_bases(self, kind: type, bases: tuple[type, ...], namespace: dict[str, Any], body: frozenset[str]) -> None:
        """Raise TypeError if a class that is about to be made would hide private names of a library's base."""
        if not all(self._is_plain(each) for base in bases for each in mro(base)):
            _privates.check_hidden(kind, bases, dict(dict.items(namespace)), body)

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
        return self._is_annotated(obj, name) or _privates.is_asked(kind, name)

    def is_free(self, kind: type, name: str) -> bool:
        """Tell whether the private attribute of every object of a class is the script's own to read and to set."""
        if kind in self.pure:
            return True
        if not is_own_class(kind) or issubclass(kind, OTHERWISE) or self.may_forward(kind):
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
            own = any(is_own_class(base) for base in mro(kind)) and not issubclass(kind, OTHERWISE)
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
            return name not in self._names_used(kind) or _privates.is_kept(kind, name) or _drawn.may_set(kind, name)
        return self.is_own_function(obj) or kind in _HOLDERS or _is_wrapper(kind) or _drawn.may_set(kind, name)

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
        return holder is not None and (is_own_class(holder) or (is_own_class(type(obj)) and _is_overridden(holder, name)))

    def _may_read_hybrid(self, obj: Any, name: str) -> bool:
        kind = type(obj)
        if name not in self._names_used(kind) or _privates.is_kept(kind, name):
            return True
        if name in (instance_dict(obj) or ()):
            return False
        holder = next((base for base in mro(kind) if name in class_dict(base)), None)
        return holder is not None and (is_own_class(holder) or _is_overridden(holder, name))

    def _is_plain(self, base: type) -> bool:
        if is_own_class(base):
            return base in self.pure
        if base in BUILTIN:
            return True
        module = _privates.home(base)
        tuples = issubclass(base, tuple) and type(base) is type
        if not tuples and module not in PLAIN_MODULES:
            return False
        if any(name in class_dict(base) for name in _ANSWERING):
            return False
        # What a method of a library's tuple keeps in its object stands in the method's code only.
        names = class_dict(base) if module in PLAIN_MODULES else {*_privates.class_names(base)}
        return all(not _rules.is_private(name) or name in _HARMLESS for name in names)

    def _names_used(self, kind: type) -> frozenset[str]:
        """Return the private names that the library's classes among the bases use."""
        known = self._used.get(kind)
        if known is None:
            known = self._used[kind] = _privates.names_used(kind)
        return known


def _is_overridden(holder: type, name: str) -> bool:
    """Tell whether this is a library's method that classes which inherit may call."""
    return name in _privates.OVERRIDDEN and type(class_dict(holder)[name]) in _METHODS


def _is_wrapper(kind: type) -> bool:
    """Tell whether kind is what ``functools.lru_cache`` makes of a function."""
    return kind is _Cached


def _may_forward(kind: type) -> bool:
    answered = False  # by the script's own __getattr__, which stands before those of its bases
    for base in mro(kind):
        names = class_dict(base)
        if is_own_class(base):
            answered = answered or "__getattr__" in names
        elif base not in BUILTIN:
            if "__getattribute__" in names:
                return True
            own = (_privates.home(base), vars(type)["__name__"].__get__(base)) == _HAS_PRIVATE_FIELDS
            if "__getattr__" in names and not answered and not own:
                return True
    return False
