"""Nodes of a syntax tree: which of their fields hold nodes, and those that a rewritten tree is made of."""

from __future__ import annotations

import ast

from hotcell_guard.vetting._helpers import TYPE, reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from hotcell_guard.vetting._helpers import Marker

__all__ = [
    "CLASSES", "FIELDS", "Guarded", "at", "call", "copied", "guarded", "hold", "is_namespace", "is_one_of", "reading", "type_of",
    "variable",
]  # fmt: skip


class Guarded(ast.Attribute):
    """An attribute access whose object has been checked. Only ``guarded`` makes it."""


def _node_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields that hold nodes, but for the context of names and the like."""
    fields = []
    for name, declared in kind._field_types.items():
        inner = getattr(declared, "__args__", (declared,))
        if name != "ctx" and any(isinstance(part, type) and issubclass(part, ast.AST) for part in inner):
            fields.append(name)
    return tuple(fields)


CLASSES: Final = [kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)]
FIELDS: Final[dict[type, tuple[str, ...]]] = {
    kind: _node_fields(kind) for kind in (*CLASSES, Guarded) if hasattr(kind, "_field_types")
}
"""The node-bearing fields of each node class, in the order of the source."""


def at[Node: ast.expr](node: Node, place: ast.expr) -> Node:
    """Return node at the place of another, for tracebacks."""
    return ast.copy_location(node, place)


def reading(node: ast.expr) -> ast.expr:
    """Return a second node for a name that is read; trees share none."""
    return at(ast.Name(node.id, ast.Load()), node)  # type: ignore[attr-defined]


def variable(name: str, place: ast.expr) -> ast.expr:
    """Return the reading of a variable."""
    return at(ast.Name(name, ast.Load()), place)


def hold(value: ast.expr, name: str) -> ast.expr:
    """Return value as an expression that keeps it in a variable."""
    return at(ast.NamedExpr(at(ast.Name(name, ast.Store()), value), value), value)


def type_of(value: ast.expr) -> ast.expr:
    """Return the call that gives the real type of an object."""
    return at(ast.Call(reference(TYPE, value), [value], []), value)


def is_one_of(value: ast.expr, classes: Marker) -> ast.expr:
    """Return the test that an object's real type is in a set."""
    return at(ast.Compare(type_of(value), [ast.In()], [reference(classes, value)]), value)


def is_namespace(node: ast.Attribute) -> bool:
    """Tell whether this sets the whole namespace of an object, which checks what goes in."""
    return node.attr == "__dict__" and node.ctx.__class__ is ast.Store


def guarded(owner: ast.expr, node: ast.Attribute) -> ast.expr:
    """Return the attribute of an owner that has been checked."""
    return at(Guarded(owner, node.attr, node.ctx), node)


def call(helper: Marker, owner: ast.expr, name: str, node: ast.expr) -> ast.expr:
    """Return the call of a helper with an object and the name of an attribute."""
    return at(ast.Call(reference(helper, node), [owner, at(ast.Constant(name), node)], []), node)


def copied(node: Any, direct: Mapping[int, ast.expr]) -> Any:
    """Return a copy of a tree in which choices have been made."""
    known = direct.get(id(node))
    if known is not None:
        return known
    copy = node.__class__.__new__(node.__class__)
    vars(copy).update(vars(node))
    for field in FIELDS[node.__class__]:
        value = getattr(node, field)
        if value.__class__ is list:
            setattr(copy, field, [None if item is None else copied(item, direct) for item in value])
        elif value is not None:
            setattr(copy, field, copied(value, direct))
    return copy
