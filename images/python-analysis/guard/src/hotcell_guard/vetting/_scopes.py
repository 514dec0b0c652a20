"""Where a node of the script stands: in which function, among which variables, and what is steady there."""

from __future__ import annotations

import ast

from hotcell_guard.vetting._helpers import OPEN, PURE
from hotcell_guard.vetting._nodes import at, copied, is_one_of, variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Final

    from hotcell_guard.vetting._helpers import Marker

__all__ = ["Function", "Names", "Scope", "is_not_simple", "parameters_of", "rebind", "targets_of"]

_USES: Final = 2
"""Uses of a parameter from which one check, when the function begins, is cheaper than one at each."""

_LINES: Final = 10
"""Lines of a function for each use: a second form of longer ones gains nothing."""


class Function:
    """A function of the script, and those of its parameters whose object is checked once, when it begins."""

    __slots__ = ("body", "checked", "classes", "parameters", "rebound", "simple", "uses")

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.body = node.body
        self.parameters = parameters_of(node.args)
        self.simple = True  # nothing in it that cannot stand there twice
        self.rebound: set[str] = set()
        self.uses: dict[str, int] = {}  # of parameters, where their class decides
        self.classes: dict[str, Marker] = {}  # of which its object has to be for all of them
        self.checked: tuple[str, ...] = ()  # parameters that were looked at when it began

    def count(self, parameter: str, private: bool) -> None:
        """Count a use of a parameter's private attributes, or a change of its public ones."""
        self.uses[parameter] = self.uses.get(parameter, 0) + 1
        if private or parameter not in self.classes:
            self.classes[parameter] = PURE if private else OPEN

    def choose(self) -> None:
        """Choose the parameters that are used so often that another form of the function is worth its room.

        They stay what they were when the function began. Names that a class mangles can be spelt in two ways.
        """
        steady = [name for name in self.uses if name not in self.rebound and not name.startswith("__")]
        often = [name for name in steady if self.uses[name] >= _USES]
        lines = (self.body[-1].end_lineno or 0) - self.body[0].lineno
        if self.simple and lines <= _LINES * sum(self.uses[name] for name in often):
            self.checked = (*often,)

    def fork(self, direct: Mapping[int, ast.expr]) -> None:
        """Put a form of the body for objects of the script's classes before the one for all others."""
        if not self.checked:
            return
        begin = int(_is_text(self.body[0]))
        others = self.body[begin:]
        place: Any = others[0]
        tests = [self._test(name, place) for name in self.checked]
        test = tests[0] if len(tests) == 1 else at(ast.BoolOp(ast.And(), tests), place)
        own = [copied(statement, direct) for statement in others]
        self.body[begin:] = [ast.copy_location(ast.If(test, own, others), place)]

    def _test(self, name: str, place: Any) -> ast.expr:
        return is_one_of(variable(name, place), self.classes[name])


class Names:
    """The variables of a function of the script, or the targets of a comprehension.

    Code of their own frame alone changes them, so one that is read twice in an
    expression is the same, unless another scope shares them: one that is nested there,
    or the one whose a declaration says they are.
    """

    __slots__ = ("_bound", "_is_function", "_outer", "_shared")

    def __init__(self, bound: Iterable[str], outer: Names | None = None, *, is_function: bool) -> None:
        self._bound = {*bound}
        self._outer = outer  # those of the frame, where a comprehension has none of its own
        self._is_function = is_function
        self._shared = False

    def bind(self, name: str) -> None:
        """Add what is assigned: in a comprehension it is the variable of a function around it."""
        if self._is_function:
            self._bound.add(name)
        elif self._outer is not None:
            self._outer.bind(name)

    def share(self) -> None:
        """Note that another scope sees them."""
        names: Names | None = self
        while names is not None:
            names._shared = True
            names = names._outer

    def hold(self, name: str) -> bool:
        """Tell whether it is one of these, and nobody else's."""
        names: Names | None = self
        while names is not None:
            if name in names._bound:
                return not names._shared
            names = names._outer
        return False


class Scope:
    """Where a node stands: the class whose name mangles, and what can be said of the names there.

    A class body's names are looked up in what its metaclass has prepared: no name is
    steady there, the same when it is read twice. Where holds is true, an object can be
    kept in a variable of the guard's: in the body of a function, and in that of the
    script, which runs once. There nobody can change it between check and use. Of the
    names of the script, only those that names holds are read twice: what another gives
    can be made by code, and other threads run.
    """

    __slots__ = ("frozen", "function", "holds", "names", "owner", "steady")

    def __init__(
        self,
        owner: str,
        steady: bool,
        *,
        frozen: bool = False,
        holds: bool = False,
        function: Function | None = None,
        names: Names | None = None,
    ) -> None:
        self.owner = owner
        self.steady = steady
        self.frozen = frozen  # a pattern's expression: Python allows no call there
        self.holds = holds
        self.function = function
        self.names = names

    def without_holding(self) -> Scope:
        """Return the scope of what may hold no assignment, or has a scope of its own, here."""
        return Scope(self.owner, self.steady, function=self.function, names=self.names)

    def inside(self, targets: Iterable[str], *, suspends: bool) -> Scope:
        """Return the scope of a comprehension here, which is a frame of its own where it can be suspended."""
        names: Names | None = Names(targets, None if suspends else self.names, is_function=False)
        if not suspends and not self.steady:
            names = None  # a class body's names are its metaclass's
        return Scope(self.owner, self.steady, holds=self.holds and not suspends, function=self.function, names=names)

    def outside(self) -> Scope:
        """Return the scope of annotations, and of what stands in the head of a definition here."""
        return Scope(self.owner, self.steady)


def targets_of(node: ast.expr) -> Iterator[str]:
    """Yield the variables of a comprehension's target; what else is named there belongs to others: ``x`` of ``x.y``."""
    match node:
        case ast.Name(name):
            yield name
        case ast.Starred(inner):
            yield from targets_of(inner)
        case ast.Tuple(parts) | ast.List(parts):
            for part in parts:
                yield from targets_of(part)


def parameters_of(given: ast.arguments) -> frozenset[str]:
    """Return the names of a function's parameters."""
    each = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return frozenset(parameter.arg for parameter in each if parameter is not None)


def rebind(name: str, scope: Scope) -> None:
    """Note that a name is bound in a scope."""
    if scope.function is not None:
        scope.function.rebound.add(name)
    if scope.names is not None:
        scope.names.bind(name)


def is_not_simple(scope: Scope) -> None:
    """Note that a scope holds what cannot stand there twice, and shares its variables with it."""
    if scope.function is not None:
        scope.function.simple = False
    if scope.names is not None:
        scope.names.share()


def _is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a doc string, or would be one."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
