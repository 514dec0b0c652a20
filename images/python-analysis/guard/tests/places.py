"""Finds every place in the image's Python packages where a text or a name that a caller
has given may become code, a format, an attribute, a module or a file.

What is found is a candidate, not a hole: ``inventory.py`` says how each is judged. A
place whose text or name is fixed where it stands (a constant, a loop over constants) is
none. Standard library only; reads sources and runs none of them.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Final

ROOTS: Final = (Path("/usr/lib/python3.13"), Path("/usr/lib/python3/dist-packages"))
OWN: Final = "hotcell_guard"

_BY_NAME: Final = {
    **{name: (1, name) for name in ("getattr", "setattr", "delattr", "hasattr", "__getattribute__", "__setattr__")},
    **{name: (0, name) for name in ("import_module", "__import__", "attrgetter", "methodcaller", "eval", "exec")},
    **{name: (0, name) for name in ("open_code", "find_spec", "import_string")},
    "__delattr__": (1, "__delattr__"),
}
"""Functions with the position of the argument that matters, and the sink's name."""

_ALWAYS: Final = frozenset("compile vars globals open _getframe FunctionType CodeType LambdaType exec_module".split())
"""Functions of which every call counts, whatever its arguments are."""

_MODULES: Final = frozenset("pickle cPickle marshal shelve ctypes cffi code codeop runpy".split())
_INSPECT: Final = frozenset(
    "getmembers getmembers_static getattr_static currentframe stack trace getmodule getsource signature".split()
)
_BUILTINS: Final = frozenset("getattr setattr delattr vars eval exec compile __import__ open globals".split())
_FORMATS: Final = frozenset(("format", "format_map"))
_WORDS: Final = re.compile(
    rb"\b(?:eval|exec|getattr|setattr|delattr|hasattr|globals|__import__|import_module|attrgetter|methodcaller|_getframe"
    rb"|vars|FunctionType|CodeType|LambdaType|exec_module|find_spec|import_string|open_code|Formatter|pickle|cPickle"
    rb"|marshal|shelve|ctypes|cffi|codeop|runpy)\b|__getattribute__|__(?:set|del)attr__|__dict__|\.format(?:_map)?\b"
    rb"|\b(?:open|compile)\s*[()\]]|[=:]\s*(?:open|compile)\b|sys\.modules|\binspect\.| % "
)
"""One of them is in the text of every module that has a place."""

_IMPORT: Final = re.compile(r"^[ \t>.]*import[ \t]+([^\n#;]+)", re.MULTILINE)
_FROM: Final = re.compile(r"^[ \t>.]*from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n;#]+)", re.MULTILINE)


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A statement of a function that holds a sink; digest is that of its normalised tree."""

    module: str
    qualname: str
    sink: str
    digest: str


class Source:
    """One module's text."""

    __slots__ = ("is_package", "name", "path", "text")

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self.is_package = path.name == "__init__.py"
        self.text = path.read_bytes()

    def imports(self) -> Iterator[str]:
        """Yield what any import statement may load, also one in a function. Too many rather than too few."""
        text = self.text.decode("utf-8", "replace").replace("\\\n", " ")
        for names in _IMPORT.findall(text):
            yield from (name.strip().split(" ")[0] for name in names.split(","))
        for start, names in _FROM.findall(text):
            base = self._absolute(start)
            yield base
            parts = (line.partition("#")[0] for line in names.strip("()").splitlines())
            yield from (f"{base}.{name.strip().split(' ')[0]}" for name in ",".join(parts).split(",") if name.strip())

    def _absolute(self, name: str) -> str:
        if not name.startswith("."):
            return name
        rest = name.lstrip(".")
        parts = self.name.split(".")
        kept = parts[: len(parts) - (len(name) - len(rest)) + self.is_package]
        return ".".join((*kept, rest) if rest else kept)

    def places(self) -> Counter[Place]:
        """Count the places of this module."""
        if _WORDS.search(self.text) is None:
            return Counter()
        finder = _Finder(self.name, ast.parse(self.text))
        finder.run()
        return finder.found


def sources(roots: Iterable[Path] = ROOTS) -> dict[str, Source]:
    """Read every module of the image but the guard's own, by name."""
    found = {}
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
            if parts and parts[0] not in (OWN, "dist-packages", "lib-dynload"):
                name = ".".join(parts)
                found.setdefault(name, Source(name, path))
    return found


def closure(all_sources: Mapping[str, Source], roots: Iterable[str]) -> set[str]:
    """Return the modules that importing the roots may ever load, lazily, too."""
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        while name and name not in reached:
            if name in all_sources:
                reached.add(name)
                waiting.extend(all_sources[name].imports())
            name = name.rpartition(".")[0]
    return reached


_LEAVES: Final = frozenset((ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del))
"""Most nodes are of these, and have no children that matter."""

_BINDING: Final = frozenset(
    (
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Assign, ast.AnnAssign, ast.NamedExpr),
        *(ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension, ast.withitem, ast.ExceptHandler, ast.MatchAs),
        *(ast.MatchStar, ast.MatchMapping, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom),
    )
)
_HELD: Final = frozenset((ast.Subscript, ast.Compare, ast.Call))
_SINKS: Final = frozenset((ast.Call, ast.Attribute, ast.Name, ast.Subscript, ast.ImportFrom, ast.BinOp))
"""Of what a pattern below is. To try millions of nodes against each takes minutes."""


class _Scope:
    """What is bound in a module or a function."""

    def __init__(self, node: ast.AST, outer: _Scope | None) -> None:
        self.outer = outer
        self.values: dict[str, list[ast.expr | None]] = {}  # None: something that is not known
        self.private: tuple[str, list[str]] | None = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            given = node.args
            for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if each is not None:
                    self._bind(each.arg, None)
        body = node.body if isinstance(node.body, list) else [node.body]  # type: ignore[attr-defined]
        for each in body:
            self._collect(each)

    def _bind(self, name: str, value: ast.expr | None) -> None:
        self.values.setdefault(name, []).append(value)

    def _target(self, target: ast.expr, value: ast.expr | None) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._bind(node.id, value)

    def _collect(self, node: ast.AST) -> None:
        if type(node) in _LEAVES:
            return
        if type(node) not in _BINDING:
            for child in _children(node):
                self._collect(child)
            return
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._bind(node.name, None)
                return
            case ast.Lambda():
                return
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._target(target, value if isinstance(target, ast.Name) else None)
            case ast.AnnAssign(target=target, value=value):
                self._target(target, value)
            case ast.NamedExpr(target=target, value=value):
                self._target(target, value)
            case ast.AugAssign(target=target):
                self._target(target, None)
            case ast.For(target=target, iter=iterated) | ast.AsyncFor(target=target, iter=iterated):
                self._target(target, iterated)
            case ast.comprehension(target=target, iter=iterated):
                self._target(target, iterated)
            case ast.withitem(optional_vars=ast.expr() as target):
                self._target(target, None)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self._bind(name, None)
            case ast.MatchMapping(rest=str(name)):
                self._bind(name, None)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                for name in names:
                    self._bind(name, None)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                for alias in aliases:
                    self._bind(alias.asname or alias.name.partition(".")[0], None)
        for child in _children(node):
            self._collect(child)

    def find(self, name: str) -> list[ast.expr | None] | None:
        """Return what the name may be bound to, or None for a builtin."""
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.outer
        return None


_PASSING: Final = frozenset("items keys values split strip lower upper".split())
_ITERATING: Final = frozenset("enumerate zip sorted list tuple set reversed".split())


def _fixed(node: ast.expr | None, scope: _Scope, busy: tuple[str, ...] = ()) -> bool:
    """Tell whether every text that the expression, or an item of it, can be is written where it stands."""
    match node:
        case None:
            return False
        case ast.Constant():
            return True
        case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(_fixed(part, scope, busy) for part in parts)
        case ast.FormattedValue(value=value, format_spec=None):
            return _fixed(value, scope, busy)
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod(), right=right):
            return _fixed(left, scope, busy) and _fixed(right, scope, busy)
        case ast.IfExp(body=left, orelse=right):
            return _fixed(left, scope, busy) and _fixed(right, scope, busy)
        case ast.Dict(keys=keys, values=values):
            return all(_fixed(part, scope, busy) for part in (*keys, *values))
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return _fixed(value, scope, busy)
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args, keywords=[]) if name in _PASSING:
            return _fixed(value, scope, busy) and all(_fixed(arg, scope, busy) for arg in args)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _ITERATING:
            return scope.find(name) is None and bool(args) and all(_fixed(arg, scope, busy) for arg in args)
        case ast.Name(id=name) if name not in busy:
            values = scope.find(name)
            return values is not None and all(_fixed(value, scope, (*busy, name)) for value in values)
    return False


def _read_by_constant(node: ast.AST, scope: _Scope) -> Iterator[ast.expr]:
    """Yield the ``x.__dict__`` of which the node reads or writes one item by a name that is fixed, or looks for any."""
    match node:
        case ast.Subscript(value=ast.Attribute(attr="__dict__") as owner, slice=index) if _fixed(index, scope):
            yield owner
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute(attr="__dict__") as owner]):
            yield owner
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="__dict__") as owner, attr=name), args=[index, *_]):
            if name in ("get", "pop", "setdefault") and _fixed(index, scope):
                yield owner


class _Finder:
    """Walks one module's tree."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.found: Counter[Place] = Counter()
        self._module = module
        self._tree = tree
        self._names: list[str] = []
        self._in_function = False
        self._statement: ast.stmt | None = None
        self._constant_keys: set[ast.AST] = set()
        self._mutated = _changed_names(tree)
        self._scope = _Scope(tree, None)
        for name in self._mutated & self._scope.values.keys():
            self._scope.values[name].append(None)

    def run(self) -> None:
        for statement in self._tree.body:
            self._visit(statement)

    def _visit(self, node: ast.AST) -> None:
        if type(node) in _LEAVES and type(node) is not ast.Name:
            return
        if isinstance(node, ast.stmt):
            self._statement = node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node)
                return
            case ast.ClassDef():
                for each in (*node.decorator_list, *node.bases, *node.keywords):
                    self._visit(each)
                self._names.append(node.name)
                for each in node.body:
                    self._visit(each)
                self._names.pop()
                return
        if type(node) in _HELD:
            self._constant_keys.update(_read_by_constant(node, self._scope))
        sink = self._sink(node) if type(node) in _SINKS else None
        if sink is not None:
            self._add(sink)
        for child in _children(node):
            if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Name):
                continue  # looked at as a call
            if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Attribute):
                self._visit(child.value)
                continue
            self._visit(child)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        statement = self._statement
        for each in (*getattr(node, "decorator_list", ()), *node.args.defaults, *(d for d in node.args.kw_defaults if d)):
            self._visit(each)
        outer, was, self._scope, self._in_function = self._scope, self._in_function, _Scope(node, self._scope), True
        if not isinstance(node, ast.Lambda):
            self._names.append(node.name)
            for each in node.body:
                self._visit(each)
            self._names.pop()
        else:
            self._names.append("<lambda>")
            self._visit(node.body)
            self._names.pop()
        self._scope, self._in_function, self._statement = outer, was, statement

    def _sink(self, node: ast.AST) -> str | None:
        match node:
            case ast.Call():
                return self._call(node)
            case ast.Attribute(attr="__dict__") if node not in self._constant_keys:
                return "__dict__"
            case ast.Attribute(value=value, attr=name) if name in _FORMATS and isinstance(node.ctx, ast.Load):
                return None if _fixed(value, self._scope) else f"{name} as a value"
            case ast.Attribute(value=ast.Name(id="string"), attr="Formatter"):
                return "Formatter"
            case ast.Attribute(value=ast.Name(id=module)) if module in _MODULES and self._is_module(module):
                return module
            case ast.Name(id=name, ctx=ast.Load()) if name in _BUILTINS and self._scope.find(name) is None:
                return f"{name} as a value"
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"), slice=index):
                return None if _fixed(index, self._scope) else "sys.modules"
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in _MODULES - {"code"}:
                return module.partition(".")[0]
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return None if _fixed(left, self._scope) or _is_number(right) else "%"
        return None

    def _is_module(self, name: str) -> bool:
        values = self._scope.find(name)
        return name not in ("code",) and values is not None

    def _call(self, node: ast.Call) -> str | None:
        match node.func:
            case ast.Name(id=name):
                owner: ast.expr | None = None
            case ast.Attribute(value=owner, attr=name):
                pass
            case _:
                return None
        if owner is None and hasattr(builtins, name) and self._scope.find(name) is not None:
            return None  # a function of the library's own by that name
        if name in _FORMATS and owner is not None:
            return None if _fixed(owner, self._scope) else name
        if isinstance(owner, ast.Name) and owner.id in _MODULES and self._is_module(owner.id):
            return owner.id
        if isinstance(owner, ast.Name) and owner.id == "inspect":
            return f"inspect.{name}" if name in _INSPECT else None
        if name in _BY_NAME:
            return self._by_name(node, owner, *_BY_NAME[name])
        if name not in _ALWAYS or (isinstance(owner, ast.Name) and owner.id in ("re", "regex")):
            return None
        if name in ("compile", "open", "vars") and owner is not None and not _is_opener(owner, name):
            return None
        if name == "vars" and not node.args:
            return "locals"
        if name == "compile" and owner is not None:
            return None
        if name == "open" and node.args and _fixed(node.args[0], self._scope):
            return None
        return name

    def _by_name(self, node: ast.Call, owner: ast.expr | None, position: int, sink: str) -> str | None:
        if owner is not None and sink in ("getattr", "setattr", "delattr", "hasattr", "eval", "exec"):
            if not (isinstance(owner, ast.Name) and owner.id in ("builtins", "object")):
                return None  # a method by that name: DataFrame.eval
        if sink.startswith("__") and sink != "__import__":
            # object.__setattr__(self, name, value), super().__setattr__(name, value)
            position = 0 if isinstance(owner, ast.Call) else 1
        if any(isinstance(each, ast.Starred) for each in node.args[: position + 1]):
            return sink
        if len(node.args) <= position:
            return sink if node.keywords else None
        given = node.args if sink in ("attrgetter",) else node.args[position : position + 1]
        return None if all(_fixed(each, self._scope) for each in given) else sink

    def _add(self, sink: str) -> None:
        where = ".".join(self._names) if self._in_function else ".".join((*self._names, "<body>"))
        assert self._statement is not None
        self.found[Place(self._module, where, sink, digest(self._statement))] += 1


def _is_opener(owner: ast.expr, name: str) -> bool:
    return name == "open" and isinstance(owner, ast.Name) and owner.id in ("io", "os", "codecs", "tokenize", "builtins")


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _changed_names(tree: ast.Module) -> set[str]:
    """Return the names that a function declares global: they are no constants."""
    names: set[str] = set()
    statements: list[ast.AST] = [tree]
    while statements:
        node = statements.pop()
        if isinstance(node, ast.Global):
            names.update(node.names)
        for body in _BODIES:
            inner = getattr(node, body, ())
            if isinstance(inner, list):  # a lambda's is an expression
                statements += inner
    return names


_BODIES: Final = ("body", "orelse", "handlers", "finalbody", "cases")


def _children(node: ast.AST) -> list[ast.AST]:
    """Return what ``ast.iter_child_nodes`` does, in half of the time: twenty million nodes are looked at."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def digest(statement: ast.stmt) -> str:
    """Return ten digits over a statement without the statements in it."""
    parts = [type(statement).__name__]
    for name, value in ast.iter_fields(statement):
        if name in _BODIES and isinstance(value, list):
            continue
        for each in value if isinstance(value, list) else [value]:
            parts.append(f"{name}={ast.dump(each) if isinstance(each, ast.AST) else each!r}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:10]
