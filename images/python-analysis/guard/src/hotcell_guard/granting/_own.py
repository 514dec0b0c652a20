"""The script's own classes: one set, by identity, filled before any other code meets the class."""

from __future__ import annotations

from abc import ABC

from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["REGISTER", "adopt", "are_trusted", "is_own_class", "register", "registered_first", "trust_fields"]

REGISTER: Final = "__(registers the class)"
"""Where a namespace holds what registers its class. It is no identifier, and its begin
keeps pydantic and typing from taking it for a field."""

_REGISTRY: Final = "_abc_impl"
_Registry: Final = type(vars(ABC)[_REGISTRY])
"""Where an abstract class keeps what was registered with it, and what it was asked; in C."""

_own: Final[set[type]] = set()
"""The classes that the script defined, or had a library define. By identity: no class
with an equality of its own gets in (``_types.check_identity``), and nothing that a
class says of itself counts."""

_tables: Final[dict[int, dict[str, Any]]] = {}
"""Tables of fields by their ids. They are kept, so that no other has the id."""


def is_own_class(kind: type) -> bool:
    """Tell whether the script has defined a class, or had a library define it."""
    return kind in _own


def adopt(kind: type) -> None:
    """Take a class for one of the script's: what it has defined, or a library has just made on its behalf."""
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


def registered_first(namespace: dict[str, Any]) -> dict[str, Any]:
    """Put what registers the class at the begin of its namespace, in place."""
    items = dict(dict.items(namespace))
    for name in items:
        dict.__delitem__(namespace, name)
    for name, value in {REGISTER: _Register(), **items}.items():
        dict.__setitem__(namespace, name, value)
    return namespace


def trust_fields(table: dict[str, Any]) -> None:
    """Take a table of fields for one that dataclass() has made, and that no script holds."""
    _tables[id(table)] = table


def are_trusted(table: object) -> bool:
    """Tell whether dataclass() has made this table: this one, whatever it is equal to."""
    return id(table) in _tables
