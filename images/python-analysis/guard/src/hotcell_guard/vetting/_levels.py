"""What a script does at its own level: outside of functions and classes."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

__all__ = ["binding", "bound", "top"]

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LOOPS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def top(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of a script's own level, and those of functions and classes without what is in their bodies."""
    pending = [*nodes]
    while pending:
        node = pending.pop()
        yield node
        pending += _outside(node) if isinstance(node, _SCOPES) else ast.iter_child_nodes(node)


def _outside(scope: Any) -> list[ast.AST]:
    """Return what a function or class evaluates where it stands."""
    found = [*getattr(scope, "decorator_list", ()), *getattr(scope, "bases", ()), *getattr(scope, "keywords", ())]
    arguments = getattr(scope, "args", None)
    if arguments is not None:
        found += arguments.defaults + [default for default in arguments.kw_defaults if default is not None]
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        found += [each.annotation for each in every if each is not None and each.annotation is not None]
    returns = getattr(scope, "returns", None)
    return found if returns is None else [*found, returns]


def binding(body: Iterable[ast.AST], names: frozenset[str]) -> Iterator[tuple[str, ast.AST]]:
    """Yield where a script's own level binds or deletes one of these names, or a function says that it will."""
    if not names:
        return
    own = {id(each) for loop in top(body) if isinstance(loop, _LOOPS) for each in _targets(loop)}
    for node in top(body):
        for name in bound(node):
            if name in names and id(node) not in own:
                yield name, node
    for node in (inner for outer in body for inner in ast.walk(outer)):
        if isinstance(node, ast.Global):
            yield from ((name, node) for name in node.names if name in names)


def _targets(loop: Any) -> Iterator[ast.AST]:
    """Yield the nodes of the variables of a comprehension, which are its own."""
    for each in loop.generators:
        yield from ast.walk(each.target)


def bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds or deletes where it stands."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=full, asname=name):
            yield name or full.partition(".")[0]
        case _:
            return
