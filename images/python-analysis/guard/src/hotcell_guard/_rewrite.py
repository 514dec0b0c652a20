"""What happens to a tree before it is checked: counting, collecting and rewriting.

An attribute whose safety depends on the object is read through the run's guarded
getattr: ``x.format`` becomes a call with x and ``"format"``. The checker then looks at
the rewritten tree and refuses every such attribute that is left, so what this module
misses is refused, not let through.
"""

from __future__ import annotations

import ast

from hotcell_guard import _format, _rules
from hotcell_guard._helpers import OWNER, PATTERN, PURE, READ, TEMPLATES, TEXT, reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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


class _Scope:
    """Where a node stands: the class whose name mangles, and whether a name is the same when read twice.

    A class body's names are looked up in what its metaclass has prepared.
    """

    __slots__ = ("frozen", "owner", "steady")

    def __init__(self, owner: str, steady: bool, frozen: bool = False) -> None:
        self.owner = owner
        self.steady = steady
        self.frozen = frozen  # a pattern's expression: Python allows no call there


class Survey:
    """One walk over a tree: its names, its denied syntax, and the places to rewrite."""

    def __init__(self, tree: ast.Module, denied: frozenset[str] = frozenset()) -> None:
        self.bound: set[str] = set()
        self.classes: set[str] = set()
        self.imported: set[str] = set()
        self.denied: list[ast.AST] = []
        self._denied = frozenset(kind for kind in _CLASSES if kind.__name__ in denied)
        self._sites: list[tuple[Any, Any, ast.Attribute, _Scope]] = []
        self._matches: list[tuple[ast.Match, _Scope]] = []
        self._changed: set[int] = set()
        self._handlers: dict[type, Callable[[Any, _Scope], _Scope | None]] = {
            ast.Name: self._name,
            ast.arg: self._arg,
            ast.alias: self._alias,
            ast.ClassDef: self._class,
            ast.FunctionDef: self._function,
            ast.AsyncFunctionDef: self._function,
            ast.Lambda: self._lambda,
            ast.AugAssign: self._augmented,
            ast.Match: self._match,
            ast.MatchValue: self._frozen,
            ast.MatchMapping: self._frozen_keys,
            ast.MatchClass: self._frozen_class,
            **dict.fromkeys((ast.MatchAs, ast.MatchStar, ast.ExceptHandler), self._named),
            **dict.fromkeys((ast.TypeVar, ast.ParamSpec, ast.TypeVarTuple), self._named),
        }
        self._stack: list[tuple[ast.AST, int, _Scope]] = [(tree, 0, _Scope("", True))]
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
        return scope

    def _arg(self, node: ast.arg, scope: _Scope) -> _Scope:
        self.bound.add(node.arg)
        return scope

    def _named(self, node: Any, scope: _Scope) -> _Scope:
        if node.name is not None:
            self.bound.add(node.name)
        return scope

    def _alias(self, node: ast.alias, scope: _Scope) -> _Scope:
        self.imported.add(node.asname or node.name.partition(".")[0])
        return scope

    # Scopes.

    def _class(self, node: ast.ClassDef, scope: _Scope) -> None:
        self.bound.add(node.name)
        self.classes.add(node.name)
        self._push(node, ("decorator_list", "bases", "keywords", "type_params"), scope)
        self._push(node, ("body",), _Scope(node.name, False))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope) -> None:
        self.bound.add(node.name)
        self._push(node, ("decorator_list", "args", "returns", "type_params"), scope)
        self._push(node, ("body",), _Scope(scope.owner, True))

    def _lambda(self, node: ast.Lambda, scope: _Scope) -> None:
        self._push(node, ("args",), scope)
        self._push(node, ("body",), _Scope(scope.owner, True))

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
            self.bound.add(node.rest)
        self._push(node, ("keys",), self._frozen(node, scope))  # type: ignore[arg-type]
        self._push(node, ("patterns",), scope)

    def _frozen_class(self, node: ast.MatchClass, scope: _Scope) -> None:
        self._push(node, ("cls",), self._frozen(node, scope))  # type: ignore[arg-type]
        self._push(node, ("patterns", "kwd_patterns"), scope)

    # Rewriting.

    def rewrite(self) -> None:
        """Change the tree in place: innermost places first, as outer ones take inner ones over."""
        self.imported -= self.bound  # what only an import binds
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

    def _rewritten(self, node: ast.Attribute, scope: _Scope) -> ast.expr | None:
        """Return what stands for an attribute, or None where it can stay."""
        name, loads = node.attr, node.ctx.__class__ is ast.Load
        if _rules.is_private(name):
            if root_name(node) in self.imported:
                return None  # the checker refuses it before anything runs
            return self._private(node, scope, loads)
        if loads and name in _rules.GUARDED_ATTRIBUTES:
            return None if _is_plain_template(node) else _guarded_read(node, scope)
        if (not loads and name in _rules.WRITABLE_DUNDERS) or id(node) in self._changed:
            return _guarded(_call(OWNER, node.value, name, node), node)
        if not loads and not _rules.is_dunder(name):
            return _public_change(node, scope)
        return None

    def _private(self, node: ast.Attribute, scope: _Scope, loads: bool) -> ast.expr:
        name, owner = _mangled(node.attr, scope.owner), node.value
        checked = _call(READ if loads else OWNER, owner, name, node)
        if not scope.steady or not isinstance(owner, ast.Name):
            return checked if loads else _guarded(checked, node)
        own = _guarded(_name(owner), node) if loads else _name(owner)
        choice = _at(ast.IfExp(_test(owner), own, checked), node)
        return choice if loads else _guarded(choice, node)


def _guarded_read(node: ast.Attribute, scope: _Scope) -> ast.expr:
    """Read through the run's getattr, but the format method of a text that it has checked before."""
    owner, checked = node.value, _call(READ, node.value, node.attr, node)
    if node.attr not in _format.FORMAT_NAMES or not scope.steady or not isinstance(owner, ast.Name):
        return checked
    kind = _at(Guarded(_name(owner), "__class__", ast.Load()), owner)
    exact = _at(ast.Compare(kind, [ast.Is()], [reference(TEXT, owner)]), owner)
    known = _at(ast.Compare(_name(owner), [ast.In()], [reference(TEMPLATES, owner)]), owner)
    test = _at(ast.BoolOp(ast.And(), [exact, known]), owner)
    return _at(ast.IfExp(test, _guarded(_name(owner), node), checked), node)


def _public_change(node: ast.Attribute, scope: _Scope) -> ast.expr:
    """Check an owner that is not the script's: a library's class is shared with the library."""
    owner, checked = node.value, _call(OWNER, node.value, node.attr, node)
    if not scope.steady or not isinstance(owner, ast.Name):
        return _guarded(checked, node)
    return _guarded(_at(ast.IfExp(_test(owner), _name(owner), checked), node), node)


def _test(owner: ast.Name) -> ast.expr:
    """Return a test for objects of the script's own classes that costs no call.

    The set decides, not an attribute: data can answer to any.
    """
    kind = _at(Guarded(_name(owner), "__class__", ast.Load()), owner)
    return _at(ast.Compare(kind, [ast.In()], [reference(PURE, owner)]), owner)


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
