"""What happens to a tree before it is checked: counting, collecting and rewriting.

An attribute whose safety depends on the object is read through the run's guarded
getattr: ``x.format`` becomes a call with x and ``"format"``. The checker then looks at
the rewritten tree and refuses every such attribute that is left, so what this module
misses is refused, not let through.
"""

from __future__ import annotations

import ast

from hotcell_guard.vetting import _fields, _nodes, _rules
from hotcell_guard.vetting._helpers import METHOD, OPEN, OWNER, PATTERN, PURE, READ, TEMPLATES, TEXT, reference
from hotcell_guard.vetting._nodes import CLASSES, FIELDS, at, call, guarded, hold, is_one_of, reading, type_of, variable
from hotcell_guard.vetting._scopes import Function, Names, Scope, is_not_simple, parameters_of, rebind, targets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    from hotcell_guard.vetting._helpers import Marker

__all__ = ["MAX_DEPTH", "MAX_NODES", "PATTERN_CLASS", "Survey", "root_name"]

MAX_NODES: Final = 200_000
"""Nodes of one script. 100 KB of dense code have about 60,000."""

MAX_DEPTH: Final = 300
"""Levels of one script: an ``elif``, an operator of a sum and a call of a chain are one each."""

PATTERN_CLASS: Final = "(class of pattern "
"""What the names of checked classes begin with. No script can spell them."""

_HELD: Final = "(checked)"
"""The local variable that holds an object from its check to its use."""


class Survey:
    """One walk over a tree: its names, its denied syntax, and the places to rewrite."""

    def __init__(self, tree: ast.Module, denied: frozenset[str] = frozenset(), known: Iterable[str] = ()) -> None:
        """Walk over the tree. known are the names that earlier scripts can have bound in its globals."""
        self.bound: set[str] = {*known}
        self.classes: set[str] = set()
        self.imported: set[str] = set()
        self.importing: list[ast.Name] = []  # what reads the name __import__
        self.denied: list[ast.AST] = []
        self._denied = frozenset(kind for kind in CLASSES if kind.__name__ in denied)
        self._sites: list[tuple[Any, Any, ast.Attribute, Scope]] = []
        self._matches: list[tuple[ast.Match, Scope]] = []
        self._functions: list[Function] = []
        self._around: dict[int, Scope] = {}  # of what the first loop of a comprehension iterates over
        self._direct: dict[int, ast.expr] = {}  # what stands for a choice, by its id, where it has been made
        self._changed: set[int] = set()
        self._handlers: dict[type, Callable[[Any, Scope], Scope | None]] = {
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
        self._stack: list[tuple[ast.AST, int, Scope]] = [(tree, 0, Scope("", True, holds=True))]
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

    def _push(self, holder: ast.AST, fields: tuple[str, ...], scope: Scope) -> None:
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

    def _name(self, node: ast.Name, scope: Scope) -> Scope:
        if node.ctx.__class__ is ast.Store:
            self.bound.add(node.id)
        if node.ctx.__class__ is not ast.Load:
            rebind(node.id, scope)
        elif node.id == "__import__":
            self.importing.append(node)
        return scope

    def _arg(self, node: ast.arg, scope: Scope) -> Scope:
        self.bound.add(node.arg)
        return scope

    def _named(self, node: Any, scope: Scope) -> Scope:
        if node.name is not None:
            self._bind(node.name, scope)
        return scope

    def _alias(self, node: ast.alias, scope: Scope) -> Scope:
        name = node.asname or node.name.partition(".")[0]
        self.imported.add(name)
        rebind(name, scope)
        return scope

    def _bind(self, name: str, scope: Scope) -> None:
        self.bound.add(name)
        rebind(name, scope)

    # Scopes.

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(node.name, scope)
        is_not_simple(scope)
        self.classes.add(node.name)
        self._push(node, ("decorator_list", "bases", "keywords", "type_params"), scope.outside())
        self._push(node, ("body",), Scope(node.name, False))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        self._bind(node.name, scope)
        is_not_simple(scope)
        function = Function(node)
        self._functions.append(function)
        self._push(node, ("decorator_list", "args", "returns", "type_params"), scope.outside())
        names = Names(function.parameters, is_function=True)
        self._push(node, ("body",), Scope(scope.owner, True, holds=True, function=function, names=names))

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        is_not_simple(scope)
        self._push(node, ("args",), scope.outside())
        names = Names(parameters_of(node.args), is_function=True)
        self._push(node, ("body",), Scope(scope.owner, True, holds=True, names=names))

    def _generator(self, node: ast.GeneratorExp, scope: Scope) -> Scope:
        if scope.names is not None:
            scope.names.share()
        return self._iterating(node, scope, suspends=True)  # anybody may go on with it

    def _inlined(self, node: ast.ListComp | ast.SetComp | ast.DictComp, scope: Scope) -> Scope:
        return self._iterating(node, scope, suspends=False)

    def _iterating(self, node: Any, scope: Scope, *, suspends: bool) -> Scope:
        self._around[id(node.generators[0])] = scope.without_holding()  # Python allows no assignment there
        targets = [name for loop in node.generators for name in targets_of(loop.target)]
        return scope.inside(targets, suspends=suspends)

    def _comprehension(self, node: ast.comprehension, scope: Scope) -> None:
        inner = scope.without_holding()
        self._push(node, ("target",), Scope(scope.owner, scope.steady, function=scope.function))
        self._push(node, ("iter",), self._around.pop(id(node), inner))
        self._push(node, ("ifs",), scope)

    def _annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._push(node, ("annotation",), scope.outside())
        self._push(node, ("target", "value"), scope)

    def _type_alias(self, node: ast.TypeAlias, scope: Scope) -> Scope:
        is_not_simple(scope)
        return scope.outside()

    def _declaration(self, node: ast.AST, scope: Scope) -> Scope:
        is_not_simple(scope)  # Python refuses a second one
        return scope

    # Places that read attributes without an Attribute node in Load context.

    def _augmented(self, node: ast.AugAssign, scope: Scope) -> Scope:
        target = node.target
        if isinstance(target, ast.Attribute) and target.attr in _rules.GUARDED_ATTRIBUTES:
            self._changed.add(id(target))
        return scope

    def _match(self, node: ast.Match, scope: Scope) -> Scope:
        self._matches.append((node, scope))
        return scope

    def _frozen(self, node: ast.MatchValue, scope: Scope) -> Scope:
        return Scope(scope.owner, scope.steady, frozen=True)

    def _frozen_keys(self, node: ast.MatchMapping, scope: Scope) -> None:
        if node.rest is not None:
            self._bind(node.rest, scope)
        self._push(node, ("keys",), self._frozen(node, scope))  # type: ignore[arg-type]
        self._push(node, ("patterns",), scope)

    def _frozen_class(self, node: ast.MatchClass, scope: Scope) -> None:
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
                _rewrite_match(match)
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

    def _rewritten(self, node: ast.Attribute, scope: Scope) -> ast.expr | None:
        """Return what stands for an attribute, or None where it can stay."""
        name, loads = node.attr, node.ctx.__class__ is ast.Load
        if _rules.is_private(name) and name not in _rules.STYLES and root_name(node) in self.imported:
            return None  # the checker refuses it before anything runs
        if loads and isinstance(node.value, ast.Attribute) and f"{node.value.attr}.{name}" in _rules.GUARDED_ATTRIBUTES:
            return call(READ, node.value.value, f"{node.value.attr}.{name}", node)  # a fact of a function's code, in one step
        if loads and name in _rules.GUARDED_ATTRIBUTES:
            return None if _is_plain_template(node) else self._guarded_read(node, scope)
        if (not loads and name in _rules.WRITABLE_DUNDERS) or id(node) in self._changed or _nodes.is_namespace(node):
            return guarded(call(OWNER, node.value, name, node), node)
        return self._if_own(node, scope) if self._asks_for_owner(node) else None

    def _guarded_read(self, node: ast.Attribute, scope: Scope) -> ast.expr:
        """Read through the run's getattr, but what needs no further look at the object."""
        if node.attr in _fields.FORMAT_NAMES and scope.holds and not isinstance(node.value, ast.Constant):
            return _template(node)
        if node.attr in _rules.BOUND_METHODS and scope.holds and self._is_super(node.value):
            return _method_of_super(node)
        return call(READ, node.value, node.attr, node)

    def _if_own(self, node: ast.Attribute, scope: Scope) -> ast.expr:
        """Go straight to an attribute of an object of the script's own classes; ask for any other."""
        loads, owner = node.ctx.__class__ is ast.Load, node.value
        name, helper = _mangled(node.attr, scope.owner), READ if loads else OWNER
        classes = PURE if _rules.is_private(node.attr) else OPEN
        if isinstance(owner, ast.Name) and scope.names is not None and scope.names.hold(owner.id):
            own, test, checked = reading(owner), is_one_of(reading(owner), classes), call(helper, owner, name, node)
        elif scope.holds:
            own, test, checked = variable(_HELD, owner), _test(owner, classes), _released(helper, name, node)
        else:
            checked = call(helper, owner, name, node)
            return checked if loads else guarded(checked, node)
        choice = at(ast.IfExp(test, guarded(own, node) if loads else own, checked), node)
        if scope.function is not None and isinstance(owner, ast.Name) and owner.id in scope.function.checked:
            self._direct[id(choice)] = guarded(reading(owner), node) if loads else reading(owner)
        return choice if loads else guarded(choice, node)

    @staticmethod
    def _is_super(node: ast.expr) -> bool:
        """Tell whether this is ``super()``, which says the same when it is asked twice: no script binds that name."""
        match node:
            case ast.Call(func=ast.Name("super"), args=[], keywords=[]):
                return True
        return False


def _template(node: ast.Attribute) -> ast.expr:
    """Read the format method of a text that has been checked before, any other through the run's getattr."""
    held = variable(_HELD, node.value)
    exact = at(ast.Compare(type_of(hold(node.value, _HELD)), [ast.Is()], [reference(TEXT, node)]), node)
    known = at(ast.Compare(reading(held), [ast.In()], [reference(TEMPLATES, node)]), node)
    test = at(ast.BoolOp(ast.And(), [exact, known]), node)
    return at(ast.IfExp(test, guarded(held, node), _released(READ, node.attr, node)), node)


def _method_of_super(node: ast.Attribute) -> ast.expr:
    """Read a bound method directly: it takes no other object than the one that it is bound to."""
    found = hold(guarded(node.value, node), _HELD)
    test = at(ast.Compare(type_of(found), [ast.Is()], [reference(METHOD, node)]), node)
    again = at(ast.Call(at(ast.Name("super", ast.Load()), node), [], []), node)
    return at(ast.IfExp(test, variable(_HELD, node), call(READ, again, node.attr, node)), node)


def _test(owner: ast.expr, classes: Marker) -> ast.expr:
    """Return a test for objects of the script's own classes that holds on to what it has tested.

    The set decides, and the real type, not an attribute: data can answer to any.
    """
    return is_one_of(hold(owner, _HELD), classes)


def root_name(node: ast.expr) -> str | None:
    """Return the name at the left end of a chain of attributes, if there is one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_plain_template(node: ast.Attribute) -> bool:
    """Tell whether this is the format method of a literal whose fields can be checked now."""
    match node:
        case ast.Attribute(value=ast.Constant(value=str(template)), attr=name):
            return name in _fields.FORMAT_NAMES and _fields.is_plain(template)
    return False


def _mangled(name: str, owner: str) -> str:
    """Return the name as the compiler makes it in a class body."""
    stripped = owner.lstrip("_")
    return f"_{stripped}{name}" if stripped and name.startswith("__") and not name.endswith("__") else name


def _released(helper: Marker, name: str, node: ast.Attribute) -> ast.expr:
    """Call a helper with the object that is held, and hold it no longer: it is not the script's."""
    owner = node.value
    forget = hold(at(ast.Constant(None), owner), _HELD)
    pair = at(ast.Tuple([call(helper, variable(_HELD, owner), name, node), forget], ast.Load()), node)
    return at(ast.Subscript(pair, at(ast.Constant(0), owner), ast.Load()), node)


def _rewrite_match(match: ast.Match) -> None:
    """Check the classes of positional patterns when the statement begins.

    The pattern then names what stands for the class that was checked: ``__match_args__``
    decides which attributes are read, and it could change in between, as a name could.
    Python wants a name there. It is one that no script can spell, of a function or of
    the script itself; the names of a class body are its metaclass's to answer. A builtin's
    name, too, can be what a later script, or step, has bound it to.
    """
    checks: list[ast.expr] = []
    for case in match.cases:
        for node in ast.walk(case.pattern):
            if isinstance(node, ast.MatchClass) and node.patterns:
                name = f"{PATTERN_CLASS}{len(checks)})"
                check = at(ast.Call(reference(PATTERN, node.cls), [node.cls], []), node.cls)
                checks.append(at(ast.NamedExpr(at(ast.Name(name, ast.Store()), node.cls), check), node.cls))
                node.cls = at(ast.Name(name, ast.Load()), node.cls)
    if checks:
        subject = match.subject
        pair = at(ast.Tuple([subject, *checks], ast.Load()), subject)
        match.subject = at(ast.Subscript(pair, at(ast.Constant(0), subject), ast.Load()), subject)
