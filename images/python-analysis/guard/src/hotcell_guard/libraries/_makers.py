"""The standard library's makers of classes and of what stands in them: dataclasses, enum, named tuples, functools.

They read and write attributes by names that an object tells them. They take those names
from the class, and no special ones.
"""

from __future__ import annotations

import builtins
import sys
from types import resolve_bases

from hotcell_guard.granting._own import REGISTER, adopt, is_own_class, register, registered_first, trust_fields
from hotcell_guard.granting._privates import check_fields, check_hidden
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.granting._types import checked_annotations, checked_namespace
from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._importing import has_begun, is_loading, is_loading_module
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["Makers", "hide_private_fields"]

_READ_BY_DATACLASSES: Final = frozenset(
    "__set_name__ __doc__ __weakrefoffset__ __dictoffset__ __qualname__ __dataclass_fields__ __dataclass_params__".split()
)


class Makers:
    """The changes; namespace is the script's globals, getter its ``getattr``."""

    def __init__(self, namespace: Mapping[str, object], getter: Callable[..., object]) -> None:
        self._namespace = namespace
        self._getter = getter

    def check_cached(self, module: Any) -> None:
        """Let a cached property read the instances of its own class only, from their namespaces."""
        kind = module.cached_property
        original = kind.__get__

        def __get__(self: Any, instance: Any, owner: Any = None) -> Any:  # noqa: N807
            if kind not in mro(type(self)) or is_own_class(type(self)):
                raise TypeError("cached_property.__get__ takes a cached_property")
            name = vars(self).get("attrname")
            held = instance is None or any(class_dict(base).get(name) is self for base in mro(type(instance)))
            if not held:
                raise TypeError("a cached_property reads instances of its own class")
            return original(self, instance, owner)

        kind.__get__ = __get__

    def check_partial_methods(self, module: Any) -> None:
        """Let a partial method's partial not keep the ``__self__`` of what a descriptor answered: a module, of builtins."""
        kind = module.partialmethod
        original = kind.__get__

        def __get__(self: Any, obj: Any, cls: Any = None) -> Any:  # noqa: N807
            bound = original(self, obj, cls)
            if type(bound) is module.partial:
                vars(bound).pop("__self__", None)
            return bound

        kind.__get__ = __get__

    def check_fields(self, module: Any) -> None:
        """Refuse fields that are no identifiers, they become text that is executed, or that are special names.

        replace(), asdict() and astuple() read what the fields say.
        """
        original, slot = module._process_class, vars(module.Field)["name"]

        def process(cls: Any, *options: Any) -> Any:
            if not isinstance(cls, type):
                raise TypeError("dataclass() takes a class")
            if vars(module.Field).get("name") is not slot:
                raise TypeError("dataclasses.Field has been changed")  # it could answer differently each time
            if is_loading(cls):
                made = original(cls, *options)
                _hide_private(made, module)
                return made
            if not is_own_class(cls):
                raise TypeError("dataclass() takes a class of the script's")
            annotations = checked_annotations(class_dict(cls).get("__annotations__", {}))
            type.__setattr__(cls, "__annotations__", annotations)  # what was checked is what is used
            names = [*annotations, *self._inherited(cls, module)]
            for name in names:
                _check_field(name)
            check_fields(cls, names)
            return original(cls, *options)

        module._process_class = process
        module._add_slots = _registering(module._add_slots, module._FIELDS)
        module.getattr = self._field
        module.make_dataclass = self._made_by_fields(module.make_dataclass)

    def _inherited(self, cls: type, module: Any) -> list[str]:
        """Return the names of the fields of the bases. Native code reads attributes by them, too."""
        tables = [class_dict(base).get(module._FIELDS, {}) for base in mro(cls)]
        if any(type(table) is not dict or {*map(type, table.values())} - {module.Field} for table in tables):
            raise TypeError("the fields of a base class are not those that dataclass() made")
        return [name for table in tables for key, field in table.items() for name in (key, field.name)]

    def _made_by_fields(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return make_dataclass for a namespace that was looked at, and that registers the class."""
        @instead_of(original)
        def make_dataclass(
            cls_name: Any,
            fields: Any,
            *,
            namespace: Any = None,
            module: str | None = None,
            **options: Any,
        ) -> Any:
            caller = sys._getframe(1).f_globals
            if not has_begun():
                module = module or caller.get("__name__")
                return original(cls_name, fields, namespace=namespace, module=module, **options)
            body = registered_first(checked_namespace({} if namespace is None else namespace))
            fields, options["bases"] = [*map(_specified, fields)], tuple(options.get("bases", ()))
            named = [each if isinstance(each, str) else each[0] for each in fields]
            _check_hidden(options["bases"], {**dict.fromkeys(named), **body})
            return original(cls_name, fields, namespace=body, module=_own_module(module, caller), **options)

        return make_dataclass

    def _field(self, obj: Any, name: str, *default: Any) -> Any:
        """Read what a Field is called: the script can write that, and hold the class that has the field."""
        if name == "__dataclass_fields__" and issubclass(type(obj), type):  # a metaclass would answer what it likes
            held = (class_dict(base) for base in mro(obj))
            return next((names[name] for names in held if name in names), *default)
        if type(name) is str and (name in _READ_BY_DATACLASSES or not _is_special(name)):
            return builtins.getattr(obj, name, *default)
        if not has_begun():
            return builtins.getattr(obj, name, *default)
        return self._getter(obj, name, *default)

    def check_named_tuples(self, module: Any) -> None:
        """Let no named tuple say that it is of another module."""
        self._keep_module(module, "namedtuple")

    def check_members(self, module: Any) -> None:
        """Let an enumeration's descriptors read by name what the script may read, and members have plain names."""
        self._check_descriptor(module.property)
        original, namespace = module.EnumType._create_, self._namespace

        def _create_(cls: Any, class_name: str, names: Any, *, module: str | None = None, **options: Any) -> Any:
            if not has_begun():
                return original(cls, class_name, names, module=module, **options)
            caller = sys._getframe(2).f_globals
            names, kind = _member_names(names), options.get("type")
            named = [each if isinstance(each, str) else each[0] for each in names]
            _check_hidden((cls,) if kind is None else (kind, cls), dict.fromkeys(named))
            made = original(cls, class_name, names, module=_own_module(module, caller), **options)
            if caller is namespace and not is_own_class(type(cls)):  # the script's metaclass can answer with any class
                adopt(made)
            return made

        module.EnumType._create_ = _create_

    def _check_descriptor(self, kind: Any) -> None:
        original, getter = kind.__get__, self._getter

        def __get__(self: Any, instance: Any, ownerclass: Any = None) -> Any:  # noqa: N807
            if type(self) is not kind:  # a subclass could answer differently each time
                raise TypeError("__get__ of an enumeration's property takes such a property, and none of a subclass")
            if instance is None or self.fget is not None or self._attr_type not in ("attr", "desc"):
                return original(self, instance, ownerclass)
            return getter(self._cls_type if self._attr_type == "attr" else instance._value_, self.name)

        kind.__get__ = __get__

    def _keep_module(self, module: Any, name: str) -> None:
        original, namespace = getattr(module, name), self._namespace

        @instead_of(original)
        def make(*args: Any, module: str | None = None, **options: Any) -> Any:
            caller = sys._getframe(1).f_globals
            if not has_begun():
                return original(*args, module=module or caller.get("__name__"), **options)
            made = original(*args, module=_own_module(module, caller), **options)
            if caller is namespace:
                adopt(made)
            return made

        setattr(module, name, make)


def _specified(field: Any) -> Any:
    """Return what make_dataclass() takes for a field, read once."""
    if isinstance(field, str):
        return str.__str__(field)
    name, *rest = field
    return str.__str__(name) if isinstance(name, str) else name, *rest


def _check_hidden(bases: tuple[Any, ...], body: Mapping[str, Any]) -> None:
    """Raise TypeError if a class that a library is about to make of names of the script's would hide private ones of a base."""
    resolved = resolve_bases(bases)
    for base in resolved:
        check_hidden(type(base), resolved, body, frozenset(body))


def hide_private_fields(kind: type) -> None:
    """Let the dataclasses of libraries, below a class, have no private fields for who reads a table of fields.

    pydantic's native serialiser reads every field of any dataclass. What a dataclass's own methods do was
    written when it was made.
    """
    dataclasses = sys.modules.get("dataclasses")
    seen: set[type] = set()
    pending = [kind] if dataclasses is not None else []
    while pending:
        found = pending.pop()
        if found not in seen:
            seen.add(found)
            pending += type.__subclasses__(found)
            _hide_private(found, dataclasses)


def _hide_private(kind: type, module: Any) -> None:
    table = class_dict(kind).get(module._FIELDS)
    if type(table) is not dict or is_own_class(kind):
        return
    for field in table.values():
        if type(field) is module.Field and field._field_type is module._FIELD and _rules.is_private(field.name):
            field._field_type = module._FIELD_BASE("_FIELD_PRIVATE")


def _registering(original: Callable[..., Any], table: str) -> Callable[..., Any]:
    """Return what makes a class anew, of its namespace, for ``slots=True``: the new one is the script's, too."""

    def add_slots(cls: Any, *options: Any) -> Any:
        if not is_own_class(cls):
            return original(cls, *options)
        if is_own_class(type(cls)):  # it would get the table of fields, by which native code reads
            raise TypeError("dataclass(slots=True) does not take a class with a metaclass of the script")
        trust_fields(class_dict(cls)[table])
        type.__setattr__(cls, REGISTER, register())
        try:
            return original(cls, *options)
        finally:
            type.__delattr__(cls, REGISTER)

    return add_slots


def _own_module(given: object, caller: Mapping[str, object]) -> str:
    """Return what a new class says of its module. Type hints are names of that module's."""
    own = str(caller.get("__name__"))
    if type(given) is str and is_loading_module(given):  # a library's own, whoever makes it for it
        return given
    if given is not None and (type(given) is not str or given not in (own, "__main__")):
        raise ValueError("module: a class of the script's belongs to the script; leave it out")
    return str(given or own)


def _member_names(names: Any) -> Any:
    """Return what Enum() takes, read once. Raises ValueError for special names."""
    if isinstance(names, str):
        names = str.__str__(names).replace(",", " ").split()
    pairs = list(dict(names).items()) if isinstance(names, dict) else list(names or ())
    checked = [each if isinstance(each, str) else tuple(each) for each in pairs]
    for each in checked:
        name = each if isinstance(each, str) else each[0]
        if type(name) is not str or name.startswith("__"):
            raise ValueError(f"{name!r} cannot be a member's name")
    return checked


def _check_field(name: object) -> None:
    if type(name) is not str or not name.isidentifier():
        raise TypeError(f"a field's name must be an identifier, not {name!r}")
    if _rules.is_dunder(name) or name in _rules.INTERPRETER_ATTRIBUTES:
        raise TypeError(f"a field cannot have the special name {name!r}")


def _is_special(name: str) -> bool:
    return name.startswith("_") or name == "obj" or name in _rules.INTERPRETER_ATTRIBUTES
