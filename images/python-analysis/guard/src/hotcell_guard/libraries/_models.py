"""pydantic, whose native code reads attributes by names that a schema holds.

``model_validate(obj, from_attributes=True)`` reads of any object what a field's alias
says, a tagged union reads its discriminator, serialisers read fields of dataclasses and
computed fields. No function in Python lies between. So the one place where native
validators and serialisers are built looks at the schema first: an exact copy of it is
handed on, and each name under which native code reads of an object is one that the
script itself could read of any object. Which object it is does not matter then.

A model's serialiser takes any object for a model and reads its ``__dict__``: so what a
model holds is fields with public names, and nobody is called with that dict. Of an
object that no schema describes native code reads the fields of its dataclass: private
ones of libraries are none there (``_copies``).
"""

from __future__ import annotations

import sys
from enum import EnumType

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import mro
from hotcell_guard.libraries._makers import hide_private_fields
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final, NoReturn

    from hotcell_guard.libraries._natives import Natives

__all__ = ["BUILDERS", "Models"]

BUILDERS: Final = (
    "pydantic.plugin._schema_validator pydantic.type_adapter pydantic._internal._model_construction "
    "pydantic._internal._dataclasses"
).split()
"""Modules that build native validators and serialisers."""

_READS_INPUT: Final = frozenset(("validation_alias", "alias"))
_OF_CLASSES: Final = frozenset(("model", "dataclass"))
_AROUND_FIELDS: Final = frozenset(("function-before", "function-after", "function-wrap"))
"""What may stand between a model and its fields: its validators."""


class Models:
    """The checks of one run."""

    def __init__(self, rules: _rules.Rules, natives: Natives) -> None:
        self._rules = rules
        self._natives = natives
        self._begun = False
        self._building: list[object] = []  # the schemas that were looked at, while they are built
        self._readable: dict[int, tuple[object, str | None]] = {}  # by a validator's id, which is kept

    def begin(self) -> None:
        """The script begins: what is built from now on can be of its schemas."""
        self._begun = True
        if "pydantic_core" in sys.modules:
            hide_private_fields(object)

    def check_calls(self, module: Any) -> None:
        """Look at each call that switches attributes on. The class is native, and changed in place."""
        if self._begun:  # it is loaded late
            hide_private_fields(object)
        kind = module.SchemaValidator
        for name in ("validate_python", "isinstance_python", "validate_assignment"):
            self._natives.put(kind, **{name: self._checked_call(vars(kind)[name])})
        for each in (kind, module.SchemaSerializer):
            each.__init__ = self._initialiser()
            self._natives.put(each, __new__=staticmethod(_new))  # what the slot holds goes on being called

    def _initialiser(self) -> Callable[..., None]:
        """Return what is called with each new validator and serialiser: any object of theirs leads to the class."""

        def __init__(made: Any, schema: Any, config: Any = None) -> None:  # noqa: N807
            if any(schema is each for each in self._building):
                return
            checked, _ = self._checked(schema, config)
            if id(made) in self._readable or any(map(self._reads_a_tag, _dicts(_exact(schema, {})))):
                raise TypeError("this schema cannot be built by calling the class; use pydantic's TypeAdapter")
            self._readable[id(made)] = made, self._input_refusal(checked)

        return __init__

    def _built(self, original: Any, schema: Any, config: Any) -> Any:
        self._building.append(schema)
        try:
            return original(schema, config)
        finally:
            self._building[:] = [each for each in self._building if each is not schema]

    def check_built(self, module: Any) -> None:
        """Look at what a module builds."""
        if "SchemaValidator" in vars(module):
            module.SchemaValidator = self._validators(module.SchemaValidator)
        if "SchemaSerializer" in vars(module):
            module.SchemaSerializer = self._serializers(module.SchemaSerializer)

    def _checked_call(self, original: Any) -> Callable[..., Any]:
        readable = self._readable

        def call(self: Any, *args: Any, **options: Any) -> Any:
            if options.get("from_attributes"):
                _, reason = readable.get(id(self), (None, "this type's schema is not known"))
                if reason is not None:
                    raise ValueError(f"from_attributes: {reason}")
            return original(self, *args, **options)

        call.__name__ = call.__qualname__ = original.__name__
        call.__doc__ = original.__doc__
        return call

    def _validators(self, original: Any) -> Callable[..., Any]:
        def build(schema: Any, config: Any = None) -> Any:
            schema, config = self._checked(schema, config)
            validator = self._built(original, schema, config)
            self._readable[id(validator)] = validator, self._input_refusal(schema)
            return validator

        return build

    def _serializers(self, original: Any) -> Callable[..., Any]:
        def build(schema: Any, config: Any = None) -> Any:
            return self._built(original, *self._checked(schema, config))

        return build

    def _checked(self, schema: Any, config: Any) -> tuple[Any, Any]:
        """Return exact copies. Raises TypeError for what native code may not be told."""
        schema, config = _exact(schema, {}), _exact(config, {})
        for part in _dicts(schema):
            self._check_class(part)
            _check_model(part)
            for name in _always_read(part):
                self._check_name(name)
            for name in _held_names(part):
                if _rules.is_dunder(name) or _rules.is_private(name) or name in _rules.INTERPRETER_ATTRIBUTES:
                    raise TypeError(f"a model cannot have a field {name!r}; choose a public name")
            if self._reads_a_tag(part):
                part["from_attributes"] = False  # a tag of a dict can have any name
        if any(part.get("from_attributes") for part in (*_dicts(schema), *_dicts(config))):
            reason = self._input_refusal(schema)
            if reason is not None:
                raise TypeError(f"from_attributes: {reason}")
        return schema, config

    def _reads_a_tag(self, part: dict[Any, Any]) -> bool:
        return part.get("type") == "tagged-union" and any(map(self._refusal, _texts(part.get("discriminator"))))

    def _check_class(self, part: dict[Any, Any]) -> None:
        kind: Any = part.get("cls")
        if not self._begun or part.get("type") not in _OF_CLASSES:
            return
        if is_own_class(kind) and part["type"] == "dataclass":
            return
        if not issubclass(type(kind), type) or not any("__pydantic_core_schema__" in vars(base) for base in mro(kind)):
            raise TypeError("a model's schema is of a model, a dataclass's of a class of the script's")

    def _check_name(self, name: str) -> None:
        reason = self._refusal(name)
        if reason is not None:
            raise TypeError(f"a schema cannot have {name!r}: {reason}")

    def _input_refusal(self, schema: Any) -> str | None:
        """Return why attributes cannot be read by the names of a schema, or None."""
        for part in _dicts(schema):
            for name in _input_names(part):
                reason = self._refusal(name)
                if reason is not None:
                    return reason
        return None

    def _refusal(self, name: str) -> str | None:
        if type(name) is not str:
            return "the name of an attribute must be a string"
        reason = _rules.attribute_refusal(name, self._rules)
        if reason is None and (name in _rules.GUARDED_ATTRIBUTES or _rules.is_private(name)):
            reason = f"{name!r} depends on the object; name a public attribute"
        return reason


def _new(*_: object, **options: object) -> NoReturn:
    """``__new__`` would make an object that nobody looks at."""
    raise TypeError("a schema is built by calling the class")


def _exact(value: Any, known: dict[int, tuple[Any, Any]]) -> Any:
    """Return a copy whose dicts, lists, tuples and texts are Python's own.

    A schema is used for long after it was checked, and what holds it can change or answer
    differently. Parts that are one stay one: schemas refer to themselves.
    """
    kind = type(value)
    if issubclass(kind, str) and not issubclass(type(kind), EnumType):
        return str.__str__(value)
    if not issubclass(kind, (dict, list, tuple)) or (issubclass(kind, tuple) and kind is not tuple):
        return value
    if id(value) in known:
        return known[id(value)][1]
    copy: Any = {} if issubclass(kind, dict) else []
    known[id(value)] = value, copy
    if issubclass(kind, dict):
        for key, each in list(dict.items(value)):
            copy[_exact(key, known)] = each if key == "metadata" else _exact(each, known)
        return copy
    items = list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value)
    copy += [_exact(each, known) for each in items]
    if kind is tuple:
        copy = tuple(copy)
        known[id(value)] = value, copy
    return copy


def _dicts(schema: Any) -> Iterator[dict[Any, Any]]:
    """Yield every dict of an exact schema once."""
    seen: set[int] = set()
    pending = [schema]
    while pending:
        part = pending.pop()
        if type(part) not in (dict, list, tuple) or id(part) in seen:
            continue
        seen.add(id(part))
        if type(part) is dict:
            yield part
            pending += [value for key, value in part.items() if key != "metadata"]
        else:
            pending += part


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a name, a path of names, or a list of paths."""
    if issubclass(type(value), str):  # a member of an enumeration is one
        yield str.__str__(value)
    elif type(value) in (list, tuple):
        for each in value:
            yield from _texts(each)


def _check_model(part: dict[Any, Any]) -> None:
    """Raise TypeError unless a model holds fields, and nothing that would be called with all that an object holds."""
    if part.get("type") != "model" or part.get("root_model"):
        return
    inner = part.get("schema")
    while type(inner) is dict and inner.get("type") in _AROUND_FIELDS and "serialization" not in inner:
        inner = inner.get("schema")
    if type(inner) is not dict or inner.get("type") != "model-fields" or "serialization" in inner:
        raise TypeError("the schema of a model must be one of fields")


def _held_names(part: dict[Any, Any]) -> Iterator[str]:
    """Yield the names of a model's fields, under which native code reads and writes an object's own dict."""
    if part.get("type") == "model-fields" and type(part.get("fields")) is dict:
        yield from _texts(list(part["fields"]))
    if part.get("type") == "dataclass-field":
        yield from _texts(part.get("name"))


def _always_read(part: dict[Any, Any]) -> Iterator[str]:
    """Yield the names that native code reads of an object whatever a call says."""
    if part.get("type") == "dataclass":
        yield from _texts(part.get("fields"))
    yield from _texts(part.get("property_name"))
    yield from _texts(part.get("post_init"))


def _input_names(part: dict[Any, Any]) -> Iterator[str]:
    """Yield the names that native code reads of an input when it reads attributes."""
    fields = part.get("fields")
    if type(fields) is dict:
        yield from _texts(list(fields))
    for key in _READS_INPUT:
        yield from _texts(part.get(key))
