"""From a checked tree to code objects: what stands at the top of a script, ``await`` and ``return`` there included.

A script whose own level awaits or returns is compiled as the body of one function. All names
that it can bind there are declared global, so that they stay the script's globals, and the
compiler's own ``return`` and ``await`` leave loops, ``with`` and ``try`` as they do in any
function: no exception stands for them that a script could catch. Whether Python accepts the
text at the top of a module is asked before, of a copy without its returns.
"""

from __future__ import annotations

import ast

from hotcell_guard.vetting import _closing, _helpers, _levels
from hotcell_guard.vetting._nodes import copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from types import CodeType
    from typing import Any, Final

    Drive = Callable[[Coroutine[Any, Any, Any]], Any]

__all__ = ["Code", "await_answers", "may_wait"]

_WHOLE: Final = "(script)"
"""The name of the function around a script, which no script can spell. Nothing shows it."""

_CO_COROUTINE: Final = 0x80
"""The flag of a coroutine's code, as inspect has it, which takes long to import."""
_TOP_LEVEL_AWAIT: Final = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
_WAITING: Final = (ast.Await, ast.AsyncFor, ast.AsyncWith)


class Code:
    """The code objects of a script: body, and then last, if there is one, which gives the script's value."""

    __slots__ = ("_whole", "body", "last")

    def __init__(self, tree: ast.Module, name: str, helpers: Mapping[_helpers.Marker, object], waits: bool = False) -> None:
        """Compile a tree. waits says that it can hold an ``await`` anywhere."""
        returns = any(isinstance(block[place], ast.Return) for block, place in _top(tree.body))
        waits = (waits or returns) and _waits(tree, name)
        self._whole = returns or waits
        self.last: CodeType | None = None
        if self._whole:
            begin = _opening(tree.body)
            self.last = _whole(tree, begin, name, helpers, waits=waits)
            tree = ast.Module(tree.body[:begin], [])
        elif tree.body and isinstance(tree.body[-1], ast.Expr):
            expression = ast.Expression(tree.body[-1].value)
            self.last = _helpers.bind(compile(expression, name, "eval", dont_inherit=True), helpers)
            tree = ast.Module(tree.body[:-1], [])
        elif _helpers.KEEP in helpers:
            _closing.keep_last(tree.body)
        self.body = _helpers.bind(compile(tree, name, "exec", dont_inherit=True), helpers)

    @property
    def is_whole(self) -> bool:
        """Whether the script's own level awaits or returns."""
        return self._whole

    def run(self, namespace: dict[str, Any], drive: Drive) -> tuple[Any, bool]:
        """Run the script. Return its value, and whether that is what it has returned. drive runs a coroutine to its end."""
        exec(self.body, namespace)
        if self.last is None:
            return None, False
        value: Any = eval(self.last, namespace)
        if not self._whole:
            return value, False
        if self.last.co_flags & _CO_COROUTINE:
            value = drive(value)
        returned, value = value
        return value, returned


def may_wait(text: str) -> bool:
    """Tell whether a script can hold an ``await``, ``async for`` or ``async with``."""
    return "await" in text or "async" in text


def await_answers(tree: ast.Module) -> None:
    """Let each ``await`` ask first whether it is given the plain answer of a tool."""
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.Await)]:
        value = node.value
        node.value = ast.copy_location(ast.Call(_helpers.reference(_helpers.AWAITED, value), [value], []), value)


def _top(statements: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """Yield where each statement of the script's own level stands: outside of functions and classes."""
    for place, statement in enumerate(statements):
        yield statements, place
        if isinstance(statement, _DEFINITIONS):
            continue
        for field in _BLOCKS:
            block: list[Any] = getattr(statement, field, [])
            parts = [each.body for each in block] if field in ("handlers", "cases") else [block]
            for part in parts:
                yield from _top(part)


def _waits(tree: ast.Module, name: str) -> bool:
    """Tell whether a script's own level awaits. Raises SyntaxError for what cannot stand there, but for ``return``."""
    probe = copied(tree, {})
    for block, place in _top(probe.body):
        statement = block[place]
        if isinstance(statement, ast.Return):
            block[place] = _expression(statement.value or _constant(None, statement), statement)
    code = compile(probe, name, "exec", _TOP_LEVEL_AWAIT, dont_inherit=True)
    return bool(code.co_flags & _CO_COROUTINE)


def _opening(statements: list[ast.stmt]) -> int:
    """Return how many statements must stand first: a text that documents the script, and imports of the future."""
    begin = int(bool(statements) and isinstance(_value(statements[0]), str))
    while begin < len(statements) and _is_future(statements[begin]):
        begin += 1
    return begin


def _value(statement: ast.stmt) -> object:
    is_constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return statement.value.value if is_constant else None  # type: ignore[attr-defined]


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _whole(
    tree: ast.Module, begin: int, name: str, helpers: Mapping[_helpers.Marker, object], *, waits: bool
) -> CodeType:
    """Compile the script after its opening as one function that returns whether it has returned, and a value."""
    tree = copied(tree, {})
    body = tree.body[begin:]
    names = sorted(_bound(body))
    end: Any = body[-1]
    if isinstance(end, ast.Expr):
        body[-1] = _leave(False, end.value, end)
    else:
        if _helpers.KEEP in helpers:
            _closing.keep_last(body)
        body.append(_leave(False, None, end))
    evaluated = not any(_names_annotations(each) for each in tree.body[:begin])
    for block, place in reversed([*_top(body)]):
        statement = block[place]
        if isinstance(statement, ast.Return) and not isinstance(statement, _Leave):
            block[place] = _leave(True, statement.value, statement)
        elif isinstance(statement, ast.AnnAssign):
            block[place : place + 1] = _unannotated(statement, evaluated)
    if names:
        body.insert(0, ast.copy_location(ast.Global(names), body[0]))
    kind: Any = ast.AsyncFunctionDef if waits else ast.FunctionDef
    nothing = ast.arguments([], [], None, [], [], None, [])
    around = kind(_WHOLE, nothing, body, [], lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
    made = compile(ast.Module([*tree.body[:begin], around], []), name, "exec", dont_inherit=True)
    function = next(each for each in made.co_consts if isinstance(each, type(made)) and each.co_name == _WHOLE)
    return _helpers.bind(function, helpers, _WHOLE)


class _Leave(ast.Return):
    """A return that has been made here."""


def _leave(returned: bool, value: ast.expr | None, place: Any) -> ast.stmt:
    pair = [_constant(returned, place), value or _constant(None, place)]
    return ast.copy_location(_Leave(ast.copy_location(ast.Tuple(pair, ast.Load()), place)), place)


def _constant(value: object, place: Any) -> ast.expr:
    return ast.copy_location(ast.Constant(value), place)


def _expression(value: ast.expr, place: Any) -> ast.stmt:
    return ast.copy_location(ast.Expr(value), place)


def _names_annotations(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(each.name == "annotations" for each in statement.names)


def _unannotated(statement: ast.AnnAssign, evaluated: bool) -> list[ast.stmt]:
    """Return what an annotated assignment of a script does: a name that is declared global can have no annotation."""
    made: list[ast.stmt] = []
    if not isinstance(statement.target, ast.Name):
        made.append(statement)  # in a function the annotation is not evaluated
    elif statement.value is not None:
        made.append(ast.copy_location(ast.Assign([statement.target], statement.value), statement))
    if evaluated:
        made.append(_expression(statement.annotation, statement))
    return made or [ast.copy_location(ast.Pass(), statement)]


def _bound(statements: list[ast.stmt]) -> set[str]:
    """Return all names that are bound somewhere in a script, in whatever scope: more than are needed change nothing."""
    found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            found.update(_names(node))
    # What the guard keeps in a variable has a name that is none, and is nobody else's.
    return {name for name in found if name.isidentifier()}


def _names(node: ast.AST) -> Iterator[str]:
    yield from _levels.bound(node)
    match node:
        case ast.Global(names=names):
            yield from names
