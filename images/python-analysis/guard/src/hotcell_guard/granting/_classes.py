"""The class statement: what Python's ``__build_class__`` does, with a look at every step.

Python's own calls whatever stands where a metaclass belongs, runs the body in whatever
that prepares, and hands on a namespace that the metaclass still holds. Here the
metaclass is a class before anything of it is called, and what it gets was looked at and
is held by nobody else.
"""

from __future__ import annotations

from types import CellType, FunctionType

from hotcell_guard.granting import _types
from hotcell_guard.granting._own import is_own_class, registered_first
from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._ownership import Ownership

__all__ = ["builder"]

_CELL_OF_DICT: Final = "__classdictcell__"
"""Where the compiler puts what gives a class's names to the type parameters in its body."""


def builder(ownership: Ownership) -> Callable[..., object]:
    """Return what the class statement calls. It takes the script's classes into ownership."""

    def __build_class__(  # noqa: A001, N807
        body: FunctionType, name: str, /, *bases: Any, metaclass: Any = type, **keywords: Any
    ) -> object:
        if type(body) is not FunctionType or type(name) is not str:
            raise TypeError("__build_class__ is for the class statement")
        resolved = _resolved(bases)
        kind = _metaclass(metaclass, resolved)
        namespace = _prepared(kind, name, resolved, keywords)
        if resolved != bases:
            namespace["__orig_bases__"] = bases
        exec(body.__code__, body.__globals__, namespace, closure=body.__closure__)
        cell = dict.get(namespace, "__classcell__")
        handed, names = _handed_over(kind, namespace), frozenset(body.__code__.co_names)
        _types.check_bases(resolved, handed)
        ownership.check_bases(kind, resolved, handed, names)
        made = kind(name, resolved, handed, **keywords)
        if not issubclass(type(made), type):
            return made
        if type(cell) is CellType:
            _check_cell(cell, made)
        _types.check_metaclass(made)
        if is_own_class(made):  # a metaclass can answer with any class
            ownership.add(made, names)
        return made

    return __build_class__


def _resolved(bases: tuple[Any, ...]) -> tuple[type, ...]:
    """Return the classes that stand for the bases, as ``__mro_entries__`` names them."""
    resolved: list[type] = []
    for base in bases:
        if issubclass(type(base), type):
            resolved.append(base)
            continue
        entries = getattr(base, "__mro_entries__", None)
        if entries is None:
            raise TypeError(f"a class can inherit from classes only, not from an object of {type(base).__name__!r}")
        found = entries(bases)
        if type(found) is not tuple or not all(issubclass(type(each), type) for each in found):
            raise TypeError("__mro_entries__ must return a tuple of classes")
        resolved += found
    return tuple(resolved)


def _metaclass(given: Any, bases: tuple[type, ...]) -> type:
    """Return the metaclass: the most derived of the one that is given and those of the bases."""
    if not issubclass(type(given), type) or type not in mro(given):
        raise TypeError("a metaclass must be a class that inherits from type")
    winner: type = given
    for base in bases:
        kind = type(base)
        if winner in mro(kind):
            winner = kind
        elif kind not in mro(winner):
            raise TypeError(
                "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the "
                "metaclasses of all its bases"
            )
    return winner


def _prepared(kind: Any, name: str, bases: tuple[type, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the namespace of the body. Only a library's metaclass can say what that is."""
    holder = next(base for base in mro(kind) if "__prepare__" in class_dict(base))
    if is_own_class(holder):
        raise TypeError("a metaclass cannot define __prepare__")
    namespace = type.__getattribute__(kind, "__prepare__")(name, bases, **keywords)
    if is_own_class(type(namespace)) or not issubclass(type(namespace), dict):
        raise TypeError("__prepare__ of a metaclass must return a dict")
    return namespace  # type: ignore[no-any-return]


def _handed_over(kind: type, namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the namespace as the metaclass gets it. One of the script's comes to _types.made_by itself."""
    cell = dict.pop(namespace, _CELL_OF_DICT, None)
    if cell is not None and is_own_class(kind):  # what the cell will hold is the namespace itself
        raise TypeError("a class with a metaclass of the script's cannot have type parameters in its body")
    checked = _types.checked_namespace(namespace)
    if type(namespace) is dict:
        namespace = checked
    for each, value in checked.items():  # enumerations and models keep books in theirs
        if dict.get(namespace, each) is not value:
            dict.__setitem__(namespace, each, value)
    if is_own_class(kind):
        return namespace
    registered_first(namespace)
    if type(cell) is CellType:
        dict.__setitem__(namespace, _CELL_OF_DICT, cell)
    return namespace


def _check_cell(cell: CellType, made: object) -> None:
    try:
        held = cell.cell_contents
    except ValueError:
        raise RuntimeError("__class__ not set: was '__classcell__' propagated to type.__new__?") from None
    if held is not made:
        raise TypeError("__class__ set to another class than the one that was defined")
