"""The value of a script's last statement, where it is no expression.

The tree has been checked when it is changed here. What is added calls the keeper with a
value that the statement has anyway, or reads a name that it has just bound.
"""

from __future__ import annotations

import ast

from hotcell_guard.vetting._helpers import KEEP, reference

__all__ = ["keep_last"]


def keep_last(body: list[ast.stmt]) -> None:
    """Change a block so that the value of its last statement is kept."""
    if not body:
        return
    match body[-1]:
        case ast.Expr() | ast.Assign() as statement:
            statement.value = _kept(statement.value)
        case ast.AnnAssign(value=ast.expr()) as statement:
            statement.value = _kept(statement.value)  # type: ignore[arg-type]  # it has one
        case ast.AugAssign(target=ast.Name(id=name)) as statement:
            again = _kept(ast.copy_location(ast.Name(name, ast.Load()), statement.target))
            body.append(ast.copy_location(ast.Expr(again), statement))
        case ast.If() | ast.For() | ast.While() | ast.AsyncFor() as statement:
            keep_last(statement.body)
            keep_last(statement.orelse)
        case ast.With() | ast.AsyncWith() as statement:
            keep_last(statement.body)
        case ast.Try() | ast.TryStar() as statement:
            keep_last(statement.orelse or statement.body)
            for handler in statement.handlers:
                keep_last(handler.body)
        case ast.Match() as statement:
            for case in statement.cases:
                keep_last(case.body)
        case _:
            pass


def _kept(value: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(reference(KEEP, value), [value], []), value)
