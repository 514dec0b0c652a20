"""Attribute access at run time: getattr, setattr, delattr, hasattr, vars and dir.

The rewritten tree calls the same functions for the names whose safety depends on the
object, so there is one place that decides. All are plain functions: what they hold is
in their closures, and no spelling reaches a closure.
"""

from __future__ import annotations

import builtins
from _weakref import CallableProxyType, ProxyType
from types import MethodType, ModuleType

from hotcell_guard.granting import _awaiting, _drawn, _format, _lineage, _methods, _patterns, _resizing, _tracebacks, _types
from hotcell_guard.granting._accessors import ABSENT, owner, reader, real_delete, real_get, real_set, writer
from hotcell_guard.granting._exits import Exits
from hotcell_guard.granting._facts import FACTS, absent, fact, has_namespace
from hotcell_guard.granting._holding import Held, held_by
from hotcell_guard.granting._namespace import namespace_class
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._ownership import NAMESPACES, Ownership, instance_dict, is_internal
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.granting._redirecting import Streams, Warned
from hotcell_guard.granting._replacing import Namespaces, Shared, is_its_namespace
from hotcell_guard.speaking._streams import ByteStream, OutputStream
from hotcell_guard.vetting import _fields, _helpers, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["Attributes"]

_CONTAINERS: Final = (dict, list, set)
_MAX_KNOWN: Final = 2048
_MAX_TEXT: Final = 1024
"""Verdicts kept, and characters of a text of which one is kept."""
_TYPE_NEW: Final = type.__new__
_SETTERS: Final = frozenset(("__delattr__", "__setattr__"))
_STREAMS: Final = ("stdout", "stderr")
_BOUND: Final = (type(object().__setattr__), MethodType)
_PROXIES: Final = (ProxyType, CallableProxyType)
"""Classes of the objects that hand on what is set."""
_OF_CLASSES: Final = _rules.PRIVATE_ATTRIBUTES - {"_merge"}
"""What enumerations, named tuples and their members are made of; the other one is a column of a DataFrame."""
_WRITTEN: Final = (OutputStream, ByteStream)
_SHARED: Final = (type, ModuleType, *_WRITTEN, Streams, Warned, *_PROXIES)
"""Classes of the objects whose public attributes are not everybody's to set."""


class Attributes:
    """The checks of one run. Its public methods raise AttributeError, as Python does.

    builtins is the table that the script's functions get as their builtins, and no
    other function: it tells them apart. answers are the classes of what tools answer,
    which can be awaited.
    """

    def __init__(self, rules: _rules.Rules, answers: frozenset[type] = frozenset()) -> None:
        self._rules = rules
        self.answers = answers
        self.builtins: dict[str, object] = {}
        self.places: _tracebacks.Places = lambda told: ()  # of the script's that a traceback leads to
        self.ownership = Ownership(self.builtins)
        self.exits = Exits()
        self.streams = Streams(self.exits)
        self.caller: Any = None  # makes a function of a text of the script's, where a policy lets text run
        self.example: Any = None  # runs an example of a docstring, where a policy lets text run
        self.public: set[str] = set()  # names that may be read of any object
        self.templates: set[str] = set()  # whose fields read nothing that depends on the object
        self.pattern = _patterns.Patterns(lambda name: _rules.pattern_refusal(name, rules)).frozen
        self._settable: set[str] = set()  # names that may be set of any object that is not shared
        self._private: set[str] = set()  # names that may be read of what is all the script's
        self._known: set[str] = set()  # names that some objects have for the script
        self._free: dict[type, set[str]] = {}  # private names that the script may use of any object of a class
        self._unshared: set[type] = set()  # classes of objects whose public attributes are everybody's to set
        self.read = reader(self._read, self.public, self._private, self.ownership.pure, self._free)
        self.exits.traceback = lambda error: self.read(error, "__traceback__")
        self.owner = owner(self._owner, self._settable, self._unshared, self._free)
        self.write = writer(self._write, self._settable, self._unshared)
        self._namespaces = namespace_class(self.write, self.delete)
        self._whole = Namespaces(self.ownership, self.checked_target, self.namespace, self._namespaces)

    def __repr__(self) -> str:
        return "<attributes>"  # without an address: a text of a frame's variables could be read

    @property
    def helpers(self) -> Mapping[_helpers.Marker, object]:
        """What the rewritten tree calls, by its markers."""
        return {
            _helpers.READ: self.read,
            _helpers.OWNER: self.owner,
            _helpers.PATTERN: self.pattern,
            _helpers.PURE: self.ownership.pure,
            _helpers.OPEN: self.ownership.open,
            _helpers.TEMPLATES: self.templates,
            _helpers.TEXT: str,
            _helpers.TYPE: type,
            _helpers.METHOD: MethodType,
            _helpers.AWAITED: _awaiting.awaiter(self.answers),
        }

    def _read(self, obj: Any, name: str, default: object) -> Any:
        """Return the attribute, or its safe form."""
        exact = self._allowed(name)
        if exact in _rules.GUARDED_ATTRIBUTES:
            return self._guarded(obj, exact, default)
        if not _rules.is_private(exact):
            _remember(self.public, exact)
        elif self.ownership.may_read(obj, exact):
            if self.ownership.may_forward(type(obj)):
                return held_by(obj, exact, default)
            _remember(self._private, exact)
            self._remember_free(type(obj), exact)
        else:
            return _drawn_value(obj, exact, default)
        return real_get(obj, exact) if default is ABSENT else real_get(obj, exact, default)

    def _write(self, obj: Any, name: str, value: object) -> None:
        """Set the attribute."""
        exact = self._allowed(name)
        obj = self.streams.instead(obj, exact)
        self.check_write(obj, exact)
        if exact not in _rules.GUARDED_ATTRIBUTES:
            self._remember_settable(obj, exact)
        real_set(obj, exact, value)

    def delete(self, obj: Any, name: str) -> None:
        """Delete the attribute."""
        self.check_write(obj, exact := self._allowed(name))
        real_delete(obj, exact)

    def _owner(self, obj: Any, name: str) -> Any:
        """Return obj if its attribute may be changed, also in place."""
        if name == "__dict__":
            return self._whole.target(obj)
        if self.streams.instead(obj, name) is not obj:
            return self.streams.instead(obj, name)
        if name in _rules.GUARDED_ATTRIBUTES:
            current = real_get(obj, name, ABSENT)  # x.format += y reads x.format
            if current is not ABSENT and self._guarded(obj, name, ABSENT) is not current:
                raise AttributeError(f"{name!r} of this object cannot be changed in place")
        self.check_write(obj, name)
        if _rules.is_private(name) and self.ownership.may_forward(type(obj)):
            return Held(obj)  # x._y += z reads x._y
        if _rules.is_private(name):
            self._remember_free(type(obj), name)
        elif name not in _rules.GUARDED_ATTRIBUTES:
            self._remember_settable(obj, name)
        return obj

    def _remember_settable(self, obj: object, name: str) -> None:
        if name.startswith("_"):
            return
        _remember(self._settable, name)
        if not hasattr(type(obj), "__get__") and not any(base in _SHARED for base in mro(type(obj))):
            if len(self._unshared) >= _MAX_KNOWN:
                self._unshared.clear()
            self._unshared.add(type(obj))

    def _remember_free(self, kind: type, name: str) -> None:
        """Keep what is true of all objects of a class, whatever they hold."""
        if not self.ownership.is_free(kind, name) or len(name) > _MAX_TEXT:
            return
        if sum(map(len, self._free.values())) >= _MAX_KNOWN:
            self._free.clear()
        self._free.setdefault(kind, set()).add(name)

    def namespace(self, obj: Any) -> Any:
        """Return what ``vars(obj)`` gives: public names and the script's own."""
        if issubclass(type(obj), type):
            return self._class_namespace(obj)
        if type(obj) is ModuleType:
            return self._module_namespace(obj)
        own = instance_dict(obj)
        if own is None:
            raise TypeError("vars() argument must have __dict__ attribute")
        if is_its_namespace(obj):
            return obj
        shown = {name: value for name, value in own.items() if self._is_shown(obj, name, value)}
        if not self.ownership.is_own(obj) and type(obj) not in NAMESPACES:
            return shown
        return self._namespaces(shown, obj)

    def names(self, obj: Any) -> list[str]:
        """Return what ``dir(obj)`` gives, without the names that cannot be read."""
        names = [str.__str__(name) for name in builtins.dir(obj) if isinstance(name, str)]
        return [name for name in names if _rules.attribute_refusal(name, self._rules) is None]

    def check_write(self, obj: Any, name: str) -> None:
        """Raise AttributeError if the attribute may not be set or deleted."""
        if type(obj) in _PROXIES:  # a class, a function or a module behind it answers with its real class
            bases = mro(real_get(obj, "__class__"))
            if any(base in _SHARED or "__get__" in class_dict(base) for base in bases):
                raise AttributeError(f"{name!r} cannot be set through a weak reference; set it on the object")
        if issubclass(type(obj), ModuleType):
            advice = f"; use contextlib.redirect_{name}(file)" if name in _STREAMS else ""
            raise AttributeError(f"modules cannot be changed{advice}")
        if type(obj) in _WRITTEN:  # what is printed while a library is imported must not be the script's to hear
            raise AttributeError("the streams of a run cannot be changed")
        if _rules.is_dunder(name):
            if name not in _rules.WRITABLE_DUNDERS or not self.ownership.is_own(obj):
                raise AttributeError(f"the special attribute {name!r} cannot be changed")
        elif _rules.is_private(name) and not self.ownership.may_write(obj, name):
            raise AttributeError(_private(name))
        elif name in _OF_CLASSES and not self.ownership.is_own(obj):
            raise AttributeError(f"{name!r} of an object that a library made cannot be set; write it in a class of your own")
        elif not self._may_change(obj):
            kind = "class" if issubclass(type(obj), type) else "function or property"
            raise AttributeError(f"{name!r} of a library's {kind} cannot be set; inherit from the class, or write a function")

    def _may_change(self, obj: Any) -> bool:
        """Tell whether public attributes may be set: all share a library's classes, and what its classes hold.

        Also one that a class lacks: it would stand before what its instances hold (a
        property), what a base behind it has, and what its metaclass has.
        """
        kind = type(obj)
        if not issubclass(kind, type) and not hasattr(kind, "__get__"):
            return True
        return self.ownership.may_change(obj)

    def _allowed(self, name: object) -> str:
        if type(name) is str and name in self._known:
            return name
        if not issubclass(type(name), str):
            raise TypeError("attribute name must be a string")
        exact = str.__str__(name)  # a subclass could change between check and use
        reason = _rules.attribute_refusal(exact, self._rules)
        if reason is not None:
            raise AttributeError(reason)
        _remember(self._known, exact)
        return exact

    def _guarded(self, obj: Any, name: str, default: object) -> Any:
        if name == "__class__":  # the commonest
            return _types.shown(real_get(obj, name))
        if name == "__dict__":
            return self.namespace(obj) if has_namespace(obj) else absent(obj, name, default)
        if name in FACTS:
            return fact(obj, name, default, self.ownership.is_own_function)
        if name in _lineage.NAMES:
            return _lineage.read(obj, name, self.ownership.is_own_function)
        if name == "obj" and not self._holds_plainly(obj, name):
            raise AttributeError("the 'obj' of an AttributeError is not available; keep the object in a variable")
        value = real_get(obj, name) if default is ABSENT else real_get(obj, name, default)
        if name in _tracebacks.NAMES:
            return _tracebacks.shown(name, value, self.places) if value is not default else value
        if name in _SETTERS:
            return self._setter(value, name)
        if value is _TYPE_NEW:
            return _types.stand_in(type).__new__
        if name == "__annotations__":
            return _types.shown_annotations(value)
        if name in _rules.CLASS_CONTAINERS:
            return value if type(value) not in _CONTAINERS or _is_held_by_own(obj, name, value) else type(value)(value)
        if name in _rules.GUARDED_METHODS:
            return _methods.checked(obj, name, value, self.ownership)
        if name in _fields.FORMAT_NAMES:
            return self._formatting(obj, value)
        return _resizing.shown(value) if name == _resizing.NAME else _types.shown(value)

    def _formatting(self, obj: Any, value: Any) -> Any:
        """Return what formats: a text's own where its fields read nothing that depends on an object."""
        if type(obj) is str and (obj in self.templates or _fields.is_checked_plain(obj, self._rules)):
            _remember(self.templates, obj)
            return value
        return _format.checked(value, self._rules, self.read)

    def _holds_plainly(self, obj: Any, name: str) -> bool:
        """Tell whether the attribute is the object's own and no AttributeError's.

        ``list[int]``, super, weak references and result wrappers forward what is read
        of them, so what they do not hold themselves might be an error's.
        """
        kind = obj if issubclass(type(obj), type) else type(obj)
        if AttributeError in mro(kind):
            return False
        if name in (instance_dict(obj) or ()) or _defines(kind, name):
            return True
        forwards = issubclass(type(obj), super) or self.ownership.may_forward(type(obj))
        return self.ownership.is_own(obj) and not forwards

    def _setter(self, raw: Any, name: str) -> Callable[..., None]:
        """Return the checking form of ``__setattr__`` or ``__delattr__``, bound or not."""
        check, bound = self.checked_target, isinstance(raw, _BOUND)
        holder = real_get(raw, "__self__", None) if bound else None

        def setter(*args: Any) -> None:
            """Implement setattr(self, name, value) or delattr(self, name)."""
            target = (holder, *args) if bound else args
            raw(*args[: len(args) - len(target) + 1], check(*target[:2]), *target[2:])

        setter.__name__ = setter.__qualname__ = name
        return setter

    def checked_target(self, obj: Any, name: object) -> str:
        """Return the name of an attribute that may be set or deleted. Raises AttributeError."""
        exact = self._allowed(name)
        self.check_write(obj, exact)
        return exact

    def _class_namespace(self, kind: type) -> dict[str, Any]:
        own = self.ownership.is_own(kind)
        if not own and id(kind) not in _types.BUILTIN_CLASSES:
            raise AttributeError("the namespace of this class is not available; use its public interface")
        held = [item for item in class_dict(kind).items() if self._is_shown(kind, *item)]
        if not own:  # nothing that getattr() does not give
            return {name: self.read(kind, name, None) for name, _ in held}
        return {name: self._class_value(kind, name, value) for name, value in held}

    def _module_namespace(self, module: ModuleType) -> dict[str, Any]:
        """Return what can be read of a module, by name: a copy."""
        names = [name for name in self.names(module) if not _rules.is_private(name) and not _rules.is_dunder(name)]
        found = ((name, self.read(module, name, ABSENT)) for name in names)
        return {name: value for name, value in found if not is_internal(value)}

    def _class_value(self, kind: type, name: str, value: Any) -> Any:
        if type(value) is Shared:
            return value.__get__(None, kind)
        if name == "__annotations__":
            return _types.shown_annotations(value)
        return _methods.checked(kind, name, value, self.ownership) if name in _rules.GUARDED_METHODS else value

    def _is_shown(self, obj: Any, name: object, value: object) -> bool:
        if type(name) is not str or is_internal(value):
            return False
        if name in _rules.CLASS_CONTAINERS:
            return self.ownership.is_own(obj)
        if name in _rules.GUARDED_ATTRIBUTES:
            return name in _rules.GUARDED_METHODS or name in ("__annotations__", _resizing.NAME)
        if _rules.attribute_refusal(name, self._rules) is not None:
            return False
        return not _rules.is_private(name) or self.ownership.may_read(obj, name)


def _drawn_value(obj: Any, name: str, default: object) -> object:
    """Return a private attribute of an object of matplotlib's that is only drawn with. Raises AttributeError."""
    of_class = issubclass(type(obj), type)
    value = _drawn.of_class(obj, name) if of_class else _drawn.of_object(obj, instance_dict(obj), name)
    if value is not _drawn.ABSENT:
        return value
    if default is not ABSENT and not of_class and _drawn.lacks(obj, instance_dict(obj), name):
        return default
    raise AttributeError(_private(name))


def _remember(known: set[str], text: str) -> None:
    """Keep a verdict; all are forgotten before they take much memory."""
    if len(text) > _MAX_TEXT:
        return
    if len(known) >= _MAX_KNOWN:
        known.clear()
    known.add(text)


def _defines(kind: type, name: str) -> bool:
    return any(name in class_dict(base) for base in mro(kind))


def _is_held_by_own(obj: Any, name: str, value: object) -> bool:
    """Tell whether a class of the script's, or an object of one, holds the value itself."""
    is_class = issubclass(type(obj), type)
    if any(class_dict(base).get(name) is value for base in mro(obj if is_class else type(obj)) if is_own_class(base)):
        return True
    return not is_class and is_own_class(type(obj)) and (instance_dict(obj) or {}).get(name) is value


def _private(name: str) -> str:
    return f"{name!r} is private; use the public interface of the object, for a column df[{name!r}]"
