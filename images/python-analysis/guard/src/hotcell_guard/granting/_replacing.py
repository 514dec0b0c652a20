"""``obj.__dict__ = ...`` for objects of the script's own classes: what goes in passes the check of setattr.

The script holds no object's real namespace: it could write names there that numpy reads
memory by. So a dict is copied into the object; one that a class holds, and all its objects
take for theirs, stands in the class as what reads and writes theirs; and a dict that takes
itself for its namespace keeps attributes among its items, by the methods of its class.
"""

from __future__ import annotations

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._ownership import instance_dict
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._ownership import Ownership

    Check = Callable[[Any, object], str]

__all__ = ["Namespaces", "Shared", "is_its_namespace"]

_ITSELF: Final = "(its items are its attributes)"
"""In the namespace of such a dict. No script can spell it as an attribute's name."""
_SETTERS: Final = ("__getattribute__", "__setattr__", "__delattr__")
_set_class_value: Final = type.__setattr__


def is_its_namespace(obj: object) -> bool:
    """Tell whether an object has taken itself for its namespace."""
    return _ITSELF in (instance_dict(obj) or ())


class Namespaces:
    """What sets the namespace of an object. check returns the name if it may be set, shown is what ``vars()`` gives."""

    def __init__(self, ownership: Ownership, check: Check, shown: Callable[[Any], Any], kind: type) -> None:
        self._ownership = ownership
        self._check = check
        self._shown = shown
        self._kind = kind  # of what shown gives of the script's own objects
        self._owner_of: Callable[[Any], Any] = vars(kind)["_owner"].__get__
        self._methods: dict[type, dict[str, Any]] = {}  # of the classes whose objects take themselves for their namespaces

    def __repr__(self) -> str:
        return "<namespaces>"  # without an address, as of Attributes

    def target(self, obj: Any) -> Any:
        """Return what stands for the object where its ``__dict__`` is set."""
        return _Target(lambda: self._shown(obj), lambda value: self._replace(obj, value))

    def _replace(self, obj: Any, value: Any) -> None:
        kind = type(obj)
        if kind not in self._ownership.pure:
            raise AttributeError("'__dict__' can be set of objects whose classes are all your own; set the attributes one by one")
        if instance_dict(obj) is None:
            raise AttributeError(f"{kind.__name__!r} object has no attribute '__dict__'")
        if not issubclass(type(value), dict):
            raise TypeError(f"__dict__ must be set to a dictionary, not a '{type(value).__name__}'")
        if any("__setattr__" in class_dict(base) for base in mro(kind) if is_own_class(base) and value is not obj):
            raise AttributeError("'__dict__' cannot be set where the class has a __setattr__; set the attributes one by one")
        if value is obj:
            self._take_itself(obj)
        elif type(value) is self._kind:
            self._share(obj, self._owner_of(value), value)
        else:
            _put(obj, self._checked(obj, value))
            self._keep_shared(obj, value)

    def _checked(self, obj: Any, value: dict[Any, Any]) -> dict[str, Any]:
        return {self._check(obj, name): each for name, each in dict(dict.items(value)).items()}

    def _share(self, obj: Any, owner: Any, value: Any) -> None:
        """Take the namespace of another object, as long as the class of both is the same; of any other its names."""
        held = instance_dict(owner)
        if type(owner) in self._ownership.pure and type(held) is dict and not is_its_namespace(owner):
            _put(obj, held)
        else:
            _put(obj, self._checked(obj, value))

    def _keep_shared(self, obj: Any, value: Any) -> None:
        """Let a dict that a class of the object holds be what its objects hold from now on."""
        for base in filter(is_own_class, mro(type(obj))):
            for name, each in [*class_dict(base).items()]:
                if each is value and not _rules.is_dunder(name):
                    _set_class_value(base, name, Shared(lambda: self._shown(obj)))

    def _take_itself(self, obj: Any) -> None:
        kind = type(obj)
        own = [base for base in mro(kind) if is_own_class(base)]
        last = [base for base in own if dict in mro(base)][-1]
        for base in own:
            for name in _SETTERS:
                known = self._methods.get(base, {}).get(name)
                if class_dict(base).get(name) is not known:
                    raise AttributeError(f"'__dict__' cannot be set to the object itself where its class has a {name}")
        if last not in self._methods:
            self._methods[last] = _methods(self._check, last)
            for name, method in self._methods[last].items():
                _set_class_value(last, name, method)
        _put(obj, {_ITSELF: True})


class _Target:
    """Stands for an object of which ``__dict__`` is set. No script holds it."""

    __slots__ = ("_get", "_set")

    def __init__(self, get: Callable[[], Any], put: Callable[[Any], None]) -> None:
        self._get = get
        self._set = put

    @property
    def __dict__(self) -> Any:
        return self._get()

    @__dict__.setter
    def __dict__(self, value: Any) -> None:
        self._set(value)


class Shared:
    """Stands in a class for the dict that its objects share: what they hold now, and what is written goes to them."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[], Any]) -> None:
        self._read = read

    def __get__(self, instance: object, owner: object = None) -> Any:
        return self._read()


def _put(obj: Any, names: dict[str, Any]) -> None:
    for base in mro(type(obj)):
        descriptor = class_dict(base).get("__dict__")
        if descriptor is not None:
            descriptor.__set__(obj, names)
            return


def _methods(check: Check, kind: Any) -> dict[str, Any]:
    """Return the methods of a class whose objects keep their attributes among their items."""

    def __getattribute__(self: Any, name: str) -> Any:  # noqa: N807
        if is_its_namespace(self):
            if name == "__dict__":
                return {key: value for key, value in dict.items(self) if type(key) is str and not _rules.is_dunder(key)}
            if not _rules.is_dunder(name) and dict.__contains__(self, name) and not _is_data(type(self), name):
                return dict.__getitem__(self, name)
        return super(kind, self).__getattribute__(name)  # its own bases answer

    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807
        if _is_item(self, name):
            dict.__setitem__(self, check(self, name), value)
        else:
            super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if not _is_item(self, name):
            super(kind, self).__delattr__(name)
        elif dict.__contains__(self, check(self, name)):
            dict.__delitem__(self, name)
        else:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    return {each.__name__: each for each in (__getattribute__, __setattr__, __delattr__)}


def _is_item(obj: Any, name: str) -> bool:
    return is_its_namespace(obj) and not _rules.is_dunder(name) and not _is_data(type(obj), name)


def _is_data(kind: type, name: str) -> bool:
    """Tell whether a class holds what stands before the names of its objects."""
    found = next((class_dict(base)[name] for base in mro(kind) if name in class_dict(base)), None)
    return hasattr(type(found), "__set__") or hasattr(type(found), "__delete__")
