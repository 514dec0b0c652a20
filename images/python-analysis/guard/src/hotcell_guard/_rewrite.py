"""What happens to a tree before it is checked: counting, collecting and rewriting.

An attribute whose safety depends on the object is read through the run's guarded
getattr: ``x.format`` becomes a call with x and ``"format"``. The checker then looks at
the rewritten tree and refuses every such attribute that is left, so what this module
misses is refused, not let through.
"""

from __future__ import annotations

import ast

from hotcell_guard import _format, _rules
from hotcell_guard._helpers import METHOD, OPEN, OWNER, PATTERN, PURE, READ, TEMPLATES, TEXT, TYPE, reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Final

    from hotcell_guard._helpers import Marker

__all__ = ["FIELDS", "MAX_DEPTH", "MAX_NODES", "PATTERN_CLASS", "Guarded", "Survey", "is_plain_pattern", "root_name"]

MAX_NODES: Final = 200_000
"""Nodes of one script. 100 KB of dense code have about 60,000."""

MAX_DEPTH: Final = 300
"""Levels of one script: an ``elif``, an operator of a sum and a call of a chain are one each."""


class Guarded(ast.Attribute):
    """An attribute access whose object has been checked. Only this module makes it."""


def _node_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields that hold nodes, but for the context of names and the like."""
    fields = []
    for name, declared in kind._field_types.items():
        inner = getattr(declared, "__args__", (declared,))
        if name != "ctx" and any(isinstance(part, type) and issubclass(part, ast.AST) for part in inner):
            fields.append(name)
    return tuple(fields)


_CLASSES: Final = [kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)]
FIELDS: Final[dict[type, tuple[str, ...]]] = {
    kind: _node_fields(kind) for kind in (*_CLASSES, Guarded) if hasattr(kind, "_field_types")
}
"""The node-bearing fields of each node class, in the order of the source."""

_BUILTIN_PATTERNS: Final = frozenset("bool bytearray bytes dict float frozenset int list set str tuple".split())
"""Builtin classes of which a positional pattern reads nothing."""

PATTERN_CLASS: Final = "(class of pattern "
"""What the names of checked classes begin with. No script can spell them."""

_HELD: Final = "(checked)"
"""The local variable that holds an object from its check to its use."""

_USES: Final = 2
"""Uses of a parameter from which one check, when the function begins, is cheaper than one at each."""

_LINES: Final = 10
"""Lines of a function for each use: a second form of longer ones gains nothing."""


class _Function:
    """A function of the script, and those of its parameters whose object is checked once, when it begins."""

    __slots__ = ("body", "checked", "classes", "parameters", "rebound", "simple", "uses")

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.body = node.body
        self.parameters = _parameters(node.args)
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
        test = tests[0] if len(tests) == 1 else _at(ast.BoolOp(ast.And(), tests), place)
        own = [_copied(statement, direct) for statement in others]
        self.body[begin:] = [ast.copy_location(ast.If(test, own, others), place)]

    def _test(self, name: str, place: Any) -> ast.expr:
        return _is_one_of(_variable(name, place), self.classes[name])


class _Names:
    """The variables of a function of the script, or the targets of a comprehension.

    Code of their own frame alone changes them, so one that is read twice in an
    expression is the same, unless another scope shares them: one that is nested there,
    or the one whose a declaration says they are.
    """

    __slots__ = ("_bound", "_is_function", "_outer", "_shared")

    def __init__(self, bound: Iterable[str], outer: _Names | None = None, *, is_function: bool) -> None:
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
        names: _Names | None = self
        while names is not None:
            names._shared = True
            names = names._outer

    def hold(self, name: str) -> bool:
        """Tell whether it is one of these, and nobody else's."""
        names: _Names | None = self
        while names is not None:
            if name in names._bound:
                return not names._shared
            names = names._outer
        return False


class _Scope:
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
        function: _Function | None = None,
        names: _Names | None = None,
    ) -> None:
        self.owner = owner
        self.steady = steady
        self.frozen = frozen  # a pattern's expression: Python allows no call there
        self.holds = holds
        self.function = function
        self.names = names

    def without_holding(self) -> _Scope:
        """Return the scope of what may hold no assignment, or has a scope of its own, here."""
        return _Scope(self.owner, self.steady, function=self.function, names=self.names)

    def inside(self, targets: Iterable[str], *, suspends: bool) -> _Scope:
        """Return the scope of a comprehension here, which is a frame of its own where it can be suspended."""
        names: _Names | None = _Names(targets, None if suspends else self.names, is_function=False)
        if not suspends and not self.steady:
            names = None  # a class body's names are its metaclass's
        return _Scope(self.owner, self.steady, holds=self.holds and not suspends, function=self.function, names=names)

    def outside(self) -> _Scope:
        """Return the scope of annotations, and of what stands in the head of a definition here."""
        return _Scope(self.owner, self.steady)


class Survey:
    """One walk over a tree: its names, its denied syntax, and the places to rewrite."""

    def __init__(self, tree: ast.Module, denied: frozenset[str] = frozenset(), known: Iterable[str] = ()) -> None:
        """Walk over the tree. known are the names that earlier scripts can have bound in its globals."""
        self.bound: set[str] = {*known}
        self.classes: set[str] = set()
        self.imported: set[str] = set()
        self.denied: list[ast.AST] = []
        self._denied = frozenset(kind for kind in _CLASSES if kind.__name__ in denied)
        self._sites: list[tuple[Any, Any, ast.Attribute, _Scope]] = []
        self._matches: list[tuple[ast.Match, _Scope]] = []
        self._functions: list[_Function] = []
        self._around: dict[int, _Scope] = {}  # of what the first loop of a comprehension iterates over
        self._direct: dict[int, ast.expr] = {}  # what stands for a choice, by its id, where it has been made
        self._changed: set[int] = set()
        self._handlers: dict[type, Callable[[Any, _Scope], _Scope | None]] = {
            ast.Name: self._name,
            ast.arg: self._arg,
            ast.alias: self._alias,
            ast.ClassDef: self._class,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.Lambda: self._lambda,
            ast.GeneratorExp: self._generator,
            **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp), self._inlined),
            ast.comprehension: self._comprehension,
            ast.AnnAssign: self._annotated,
            ast.TypeAlias: self._type_alias,
            ast.Global: self._declaration,
            ast.Nonlocal: self._declaration,
            ast.AugAssign: self._augmented,
            ast.Match: self._match,
            ast.MatchValue: self._frozen,
            ast.MatchMapping: self._frozen_keys,
            ast.MatchClass: self._frozen_class,
            **dict.fromkeys((ast.MatchAs, ast.MatchStar, ast.ExceptHandler), self._named),
            **dict.fromkeys((ast.TypeVar, ast.ParamSpec, ast.TypeVarTuple), self._named),
        }
        self._stack: list[tuple[ast.AST, int, _Scope]] = [(tree, 0, _Scope("", True, holds=True))]
        self._walk()

    def _walk(self) -> None:
        """Visit every node, parents first. Raises MemoryError beyond the bounds."""
        stack, handlers, denied, sites = self._stack, self._handlers, self._denied, self._sites
        count = 0
        while stack:
            node, depth, scope = stack.pop()
            kind = node.__class__
            count += 1
            if count > MAX_NODES or depth > MAX_DEPTH:
                raise MemoryError
            if kind in denied:
                self.denied.append(node)
            handler = handlers.get(kind)
            if handler is not None:
                self._depth = depth
                inner = handler(node, scope)
                if inner is None:
                    continue
                scope = inner
            for field in FIELDS.get(kind, ()):
                value = getattr(node, field)
                if value.__class__ is list:
                    for place, item in enumerate(value):
                        if item is not None:
                            stack.append((item, depth + 1, scope))
                            if item.__class__ is ast.Attribute:
                                sites.append((value, place, item, scope))
                elif value is not None:
                    stack.append((value, depth + 1, scope))
                    if value.__class__ is ast.Attribute:
                        sites.append((node, field, value, scope))

    def _push(self, holder: ast.AST, fields: tuple[str, ...], scope: _Scope) -> None:
        """Visit the children in some fields of a node in a scope of their own."""
        for field in fields:
            value = getattr(holder, field)
            items: list[Any] = value if isinstance(value, list) else [value]
            for place, item in enumerate(items):
                if item is None:
                    continue
                self._stack.append((item, self._depth + 1, scope))
                if item.__class__ is ast.Attribute:
                    site = (value, place) if isinstance(value, list) else (holder, field)
                    self._sites.append((*site, item, scope))

    # Names.

    def _name(self, node: ast.Name, scope: _Scope) -> _Scope:
        if node.ctx.__class__ is ast.Store:
            self.bound.add(node.id)
        if node.ctx.__class__ is not ast.Load:
            _rebind(node.id, scope)
        return scope

    def _arg(self, node: ast.arg, scope: _Scope) -> _Scope:
        self.bound.add(node.arg)
        return scope

    def _named(self, node: Any, scope: _Scope) -> _Scope:
        if node.name is not None:
            self._bind(node.name, scope)
        return scope

    def _alias(self, node: ast.alias, scope: _Scope) -> _Scope:
        name = node.asname or node.name.partition(".")[0]
        self.imported.add(name)
        _rebind(name, scope)
        return scope

    def _bind(self, name: str, scope: _Scope) -> None:
        self.bound.add(name)
        _rebind(name, scope)

    # Scopes.

    def _class(self, node: ast.ClassDef, scope: _Scope) -> None:
        self._bind(node.name, scope)
        _is_not_simple(scope)
        self.classes.add(node.name)
        self._push(node, ("decorator_list", "bases", "keywords", "type_params"), scope.outside())
        self._push(node, ("body",), _Scope(node.name, False))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope) -> None:
        self._bind(node.name, scope)
        _is_not_simple(scope)
        function = _Function(node)
        self._functions.append(function)
        self._push(node, ("decorator_list", "args", "returns", "type_params"), scope.outside())
        names = _Names(function.parameters, is_function=True)
        self._push(node, ("body",), _Scope(scope.owner, True, holds=True, function=function, names=names))

    def _lambda(self, node: ast.Lambda, scope: _Scope) -> None:
        _is_not_simple(scope)
        self._push(node, ("args",), scope.outside())
        names = _Names(_parameters(node.args), is_function=True)
        self._push(node, ("body",), _Scope(scope.owner, True, holds=True, names=names))

    def _generator(self, node: ast.GeneratorExp, scope: _Scope) -> _Scope:
        if scope.names is not None:
            scope.names.share()
        return self._iterating(node, scope, suspends=True)  # anybody may go on with it

    def _inlined(self, node: ast.ListComp | ast.SetComp | ast.DictComp, scope: _Scope) -> _Scope:
        return self._iterating(node, scope, suspends=False)

    def _iterating(self, node: Any, scope: _Scope, *, suspends: bool) -> _Scope:
        self._around[id(node.generators[0])] = scope.without_holding()  # Python allows no assignment there
        targets = [name for loop in node.generators for name in _targets(loop.target)]
        return scope.inside(targets, suspends=suspends)

    def _comprehension(self, node: ast.comprehension, scope: _Scope) -> None:
        inner = scope.without_holding()
        self._push(node, ("target",), _Scope(scope.owner, scope.steady, function=scope.function))
        self._push(node, ("iter",), self._around.pop(id(node), inner))
        self._push(node, ("ifs",), scope)

    def _annotated(self, node: ast.AnnAssign, scope: _Scope) -> None:
        self._push(node, ("annotation",), scope.outside())
        self._push(node, ("target", "value"), scope)

    def _type_alias(self, node: ast.TypeAlias, scope: _Scope) -> _Scope:
        _is_not_simple(scope)
        return scope.outside()

    def _declaration(self, node: ast.AST, scope: _Scope) -> _Scope:
        _is_not_simple(scope)  # Python refuses a second one
        return scope

    # Places that read attributes without an Attribute node in Load context.

    def _augmented(self, node: ast.AugAssign, scope: _Scope) -> _Scope:
        target = node.target
        if isinstance(target, ast.Attribute) and target.attr in _rules.GUARDED_ATTRIBUTES:
            self._changed.add(id(target))
        return scope

    def _match(self, node: ast.Match, scope: _Scope) -> _Scope:
        self._matches.append((node, scope))
        return scope

    def _frozen(self, node: ast.MatchValue, scope: _Scope) -> _Scope:
        return _Scope(scope.owner, scope.steady, frozen=True)

    def _frozen_keys(self, node: ast.MatchMapping, scope: _Scope) -> None:
        if node.rest is not None:
            self._bind(node.rest, scope)
        self._push(node, ("keys",), self._frozen(node, scope))  # type: ignore[arg-type]
        self._push(node, ("patterns",), scope)

    def _frozen_class(self, node: ast.MatchClass, scope: _Scope) -> None:
        self._push(node, ("cls",), self._frozen(node, scope))  # type: ignore[arg-type]
        self._push(node, ("patterns", "kwd_patterns"), scope)

    # Rewriting.

    def rewrite(self) -> None:
        """Change the tree in place: innermost places first, as outer ones take inner ones over."""
        self.imported -= self.bound  # what only an import binds
        self._count_uses()
        for function in self._functions:
            function.choose()
        for holder, place, node, scope in reversed(self._sites):
            changed = None if scope.frozen else self._rewritten(node, scope)
            if changed is None:
                continue
            if isinstance(holder, list):
                holder[place] = changed
            else:
                setattr(holder, place, changed)
        for match, scope in self._matches:
            if scope.steady:  # in a class body the checker refuses it
                _rewrite_match(match, self.bound)
        for function in self._functions:
            function.fork(self._direct)

    def _count_uses(self) -> None:
        """Count where the class of a parameter's object decides."""
        for _, _, node, scope in self._sites:
            owner, function = node.value, scope.function
            if function is None or scope.frozen or not isinstance(owner, ast.Name):
                continue
            if owner.id in function.parameters and self._asks_for_owner(node):
                function.count(owner.id, _rules.is_private(node.attr))

    def _asks_for_owner(self, node: ast.Attribute) -> bool:
        """Tell whether the access is free to objects of the script's classes, and to others not."""
        if _rules.is_private(node.attr):
            return True
        return node.ctx.__class__ is not ast.Load and not _rules.is_dunder(node.attr) and id(node) not in self._changed

    def _rewritten(self, node: ast.Attribute, scope: _Scope) -> ast.expr | None:
        """Return what stands for an attribute, or None where it can stay."""
        name, loads = node.attr, node.ctx.__class__ is ast.Load
        if _rules.is_private(name) and root_name(node) in self.imported:
            return None  # the checker refuses it before anything runs
        if loads and name in _rules.GUARDED_ATTRIBUTES:
            return None if _is_plain_template(node) else self._guarded_read(node, scope)
        if (not loads and name in _rules.WRITABLE_DUNDERS) or id(node) in self._changed:
            return _guarded(_call(OWNER, node.value, name, node), node)
        return self._if_own(node, scope) if self._asks_for_owner(node) else None

    def _guarded_read(self, node: ast.Attribute, scope: _Scope) -> ast.expr:
        """Read through the run's getattr, but what needs no further look at the object."""
        if node.attr in _format.FORMAT_NAMES and scope.holds and not isinstance(node.value, ast.Constant):
            return _template(node)
        if node.attr in _rules.BOUND_METHODS and scope.holds and self._is_super(node.value):
            return _method_of_super(node)
        return _call(READ, node.value, node.attr, node)

    def _if_own(self, node: ast.Attribute, scope: _Scope) -> ast.expr:
        """Go straight to an attribute of an object of the script's own classes; ask for any other."""
        loads, owner = node.ctx.__class__ is ast.Load, node.value
        name, helper = _mangled(node.attr, scope.owner), READ if loads else OWNER
        classes = PURE if _rules.is_private(node.attr) else OPEN
        if isinstance(owner, ast.Name) and scope.names is not None and scope.names.hold(owner.id):
            own, test, checked = _name(owner), _is_one_of(_name(owner), classes), _call(helper, owner, name, node)
        elif scope.holds:
            own, test, checked = _variable(_HELD, owner), _test(owner, classes), _released(helper, name, node)
        else:
            checked = _call(helper, owner, name, node)
            return checked if loads else _guarded(checked, node)
        choice = _at(ast.IfExp(test, _guarded(own, node) if loads else own, checked), node)
        if scope.function is not None and isinstance(owner, ast.Name) and owner.id in scope.function.checked:
            self._direct[id(choice)] = _guarded(_name(owner), node) if loads else _name(owner)
        return choice if loads else _guarded(choice, node)

    def _is_super(self, node: ast.expr) -> bool:
        """Tell whether this is ``super()``, which says the same when it is asked twice."""
        match node:
            case ast.Call(func=ast.Name("super"), args=[], keywords=[]):
                return "super" not in self.bound and "super" not in self.imported
        return False


def _template(node: ast.Attribute) -> ast.expr:
    """Read the format method of a text that has been checked before, any other through the run's getattr."""
    held = _variable(_HELD, node.value)
    exact = _at(ast.Compare(_type_of(_hold(node.value, _HELD)), [ast.Is()], [reference(TEXT, node)]), node)
    known = _at(ast.Compare(_name(held), [ast.In()], [reference(TEMPLATES, node)]), node)
    test = _at(ast.BoolOp(ast.And(), [exact, known]), node)
    return _at(ast.IfExp(test, _guarded(held, node), _released(READ, node.attr, node)), node)


def _method_of_super(node: ast.Attribute) -> ast.expr:
    """Read a bound method directly: it takes no other object than the one that it is bound to."""
    found = _hold(_guarded(node.value, node), _HELD)
    test = _at(ast.Compare(_type_of(found), [ast.Is()], [reference(METHOD, node)]), node)
    again = _at(ast.Call(_at(ast.Name("super", ast.Load()), node), [], []), node)
    return _at(ast.IfExp(test, _variable(_HELD, node), _call(READ, again, node.attr, node)), node)


def _test(owner: ast.expr, classes: Marker) -> ast.expr:
    """Return a test for objects of the script's own classes that holds on to what it has tested.

    The set decides, and the real type, not an attribute: data can answer to any.
    """
    return _is_one_of(_hold(owner, _HELD), classes)


def _is_one_of(value: ast.expr, classes: Marker) -> ast.expr:
    return _at(ast.Compare(_type_of(value), [ast.In()], [reference(classes, value)]), value)


def root_name(node: ast.expr) -> str | None:
    """Return the name at the left end of a chain of attributes, if there is one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_plain_template(node: ast.Attribute) -> bool:
    """Tell whether this is the format method of a literal whose fields can be checked now."""
    match node:
        case ast.Attribute(value=ast.Constant(value=str(template)), attr=name):
            return name in _format.FORMAT_NAMES and _format.is_plain(template)
    return False


def _mangled(name: str, owner: str) -> str:
    """Return the name as the compiler makes it in a class body."""
    stripped = owner.lstrip("_")
    return f"_{stripped}{name}" if stripped and name.startswith("__") and not name.endswith("__") else name


def _at[Node: ast.expr](node: Node, place: ast.expr) -> Node:
    return ast.copy_location(node, place)


def _name(node: ast.expr) -> ast.expr:
    """Return a second node for a name that is read; trees share none."""
    return _at(ast.Name(node.id, ast.Load()), node)  # type: ignore[attr-defined]


def _variable(name: str, place: ast.expr) -> ast.expr:
    return _at(ast.Name(name, ast.Load()), place)


def _hold(value: ast.expr, variable: str) -> ast.expr:
    return _at(ast.NamedExpr(_at(ast.Name(variable, ast.Store()), value), value), value)


def _type_of(value: ast.expr) -> ast.expr:
    return _at(ast.Call(reference(TYPE, value), [value], []), value)


def _released(helper: Marker, name: str, node: ast.Attribute) -> ast.expr:
    """Call a helper with the object that is held, and hold it no longer: it is not the script's."""
    owner = node.value
    forget = _hold(_at(ast.Constant(None), owner), _HELD)
    pair = _at(ast.Tuple([_call(helper, _variable(_HELD, owner), name, node), forget], ast.Load()), node)
    return _at(ast.Subscript(pair, _at(ast.Constant(0), owner), ast.Load()), node)


def _copied(node: Any, direct: Mapping[int, ast.expr]) -> Any:
    """Return a copy of a tree in which choices have been made."""
    known = direct.get(id(node))
    if known is not None:
        return known
    copy = node.__class__.__new__(node.__class__)
    vars(copy).update(vars(node))
    for field in FIELDS[node.__class__]:
        value = getattr(node, field)
        if value.__class__ is list:
            setattr(copy, field, [None if item is None else _copied(item, direct) for item in value])
        elif value is not None:
            setattr(copy, field, _copied(value, direct))
    return copy


def _targets(node: ast.expr) -> Iterator[str]:
    """Yield the variables of a comprehension's target; what else is named there belongs to others: ``x`` of ``x.y``."""
    match node:
        case ast.Name(name):
            yield name
        case ast.Starred(inner):
            yield from _targets(inner)
        case ast.Tuple(parts) | ast.List(parts):
            for part in parts:
                yield from _targets(part)


def _parameters(given: ast.arguments) -> frozenset[str]:
    each = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return frozenset(parameter.arg for parameter in each if parameter is not None)


def _rebind(name: str, scope: _Scope) -> None:
    if scope.function is not None:
        scope.function.rebound.add(name)
    if scope.names is not None:
        scope.names.bind(name)


def _is_not_simple(scope: _Scope) -> None:
    if scope.function is not None:
        scope.function.simple = False
    if scope.names is not None:
        scope.names.share()


def _is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a doc string, or would be one."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _guarded(owner: ast.expr, node: ast.Attribute) -> ast.expr:
    return _at(Guarded(owner, node.attr, node.ctx), node)


def _call(helper: Marker, owner: ast.expr, name: str, node: ast.expr) -> ast.expr:
    return _at(ast.Call(reference(helper, node), [owner, _at(ast.Constant(name), node)], []), node)


def _rewrite_match(match: ast.Match, bound: set[str]) -> None:
    """Check the classes of positional patterns when the statement begins.

    The pattern then names what stands for the class that was checked: ``__match_args__``
    decides which attributes are read, and it could change in between, as a name could.
    Python wants a name there. It is one that no script can spell, of a function or of
    the script itself; the names of a class body are its metaclass's to answer.
    """
    checks: list[ast.expr] = []
    for case in match.cases:
        for node in ast.walk(case.pattern):
            if isinstance(node, ast.MatchClass) and node.patterns and not is_plain_pattern(node.cls, bound):
                name = f"{PATTERN_CLASS}{len(checks)})"
                check = _at(ast.Call(reference(PATTERN, node.cls), [node.cls], []), node.cls)
                checks.append(_at(ast.NamedExpr(_at(ast.Name(name, ast.Store()), node.cls), check), node.cls))
                node.cls = _at(ast.Name(name, ast.Load()), node.cls)
    if checks:
        subject = match.subject
        pair = _at(ast.Tuple([subject, *checks], ast.Load()), subject)
        match.subject = _at(ast.Subscript(pair, _at(ast.Constant(0), subject), ast.Load()), subject)


def is_plain_pattern(node: ast.expr, bound: set[str]) -> bool:
    """Tell whether a pattern's class is a builtin of which a positional pattern reads nothing."""
    return isinstance(node, ast.Name) and node.id in _BUILTIN_PATTERNS and node.id not in bound
