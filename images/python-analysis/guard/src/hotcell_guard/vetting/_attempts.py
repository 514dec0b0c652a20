"""Imports that a script only tries: it says itself what to do without the module."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    Import = ast.Import | ast.ImportFrom

__all__ = ["imports"]

_CAUGHT: Final = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
_BLOCKS: Final = (ast.If, ast.For, ast.While, ast.With, ast.Try)
"""Statements whose body runs where they stand."""


def imports(node: ast.Try | ast.With) -> Iterator[Import]:
    """Yield the imports of a statement's body whose ImportError the statement catches.

    What a name stands for is not known here. It need not be: a module that is not allowed
    is refused again when the import runs, and what is raised then ends the run.
    """
    if isinstance(node, ast.Try):
        caught = any(handler.type is None or _catches(handler.type) for handler in node.handlers)
    else:
        caught = any(_suppresses(item.context_expr) for item in node.items)
    if caught:
        yield from _imports_in(node.body)


def _imports_in(body: list[ast.stmt]) -> Iterator[Import]:
    for statement in body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield statement
        elif isinstance(statement, _BLOCKS):
            yield from _imports_in(statement.body)
            yield from _imports_in(getattr(statement, "orelse", []))


def _catches(kind: ast.expr) -> bool:
    if isinstance(kind, ast.Tuple):
        return any(_catches(each) for each in kind.elts)
    return isinstance(kind, ast.Name) and kind.id in _CAUGHT


def _suppresses(manager: ast.expr) -> bool:
    """Tell whether this is ``suppress(ImportError)``, also by the module's name."""
    if not isinstance(manager, ast.Call):
        return False
    function = manager.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name == "suppress" and any(_catches(each) for each in manager.args)
