"""The checker: one method for every syntax node class that a script may hold.

A class without a method is refused, so a new Python version cannot bring syntax
that nobody has looked at.
"""

from __future__ import annotations

import ast
import string
import warnings

from hotcell_guard import _advice, _rules, _source
from hotcell_guard._violations import Refused, Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType
    from typing import Final

__all__ = ["Checked", "Vetter", "vet", "vet_expression"]

MAX_NODES: Final = 200_000
"""Nodes of one script. 100 KB of dense code have about 60,000."""

_COMPLEX: Final = "the script is too large or too deeply nested; split long expressions into statements"
_SELF_NAMES: Final = frozenset(("self", "cls", "other"))
_FORMAT_METHODS: Final = frozenset(("format", "format_map"))
_PANDAS_LOCAL: Final = "__pd_eval_local_"  # what pandas makes of @name in query and eval


class Checked:
    """A script that may run: its code objects, made from the tree that was checked."""

    __slots__ = ("body", "last", "lines")

    def __init__(self, tree: ast.Module, text: str, name: str) -> None:
        self.lines = text.splitlines()
        last: CodeType | None = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            expression = ast.Expression(tree.body[-1].value)
            last = compile(expression, name, "eval", dont_inherit=True)
            tree = ast.Module(tree.body[:-1], [])
        self.last = last
        self.body: CodeType = compile(tree, name, "exec", dont_inherit=True)


def vet(source: bytes, name: str, rules: _rules.Rules) -> Checked:
    """Check a whole script. Raises Refused with every finding."""
    text = _source.decode(source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, name)
            _check(tree, text, rules)
            return Checked(tree, text, name)
    except SyntaxError as error:
        line = error.lineno or 0
        message = f"the script is not valid Python: {_advice.instead_of_line(text, line) or error.msg}"
        column = max(error.offset or 0, 1) if line else 0
        raise Refused([Violation("syntax.error", line, column, message)]) from None
    except (RecursionError, MemoryError):
        raise Refused([Violation("source.complexity", 0, 0, _COMPLEX)]) from None
    except ValueError as error:
        raise Refused([Violation("syntax.error", 0, 0, f"the script is not valid Python: {error}")]) from None


def vet_expression(text: str, rules: _rules.Rules, *, private: bool = False) -> None:
    """Check a string that a library is about to evaluate. Raises Refused.

    private accepts names with a leading underscore, as in libraries' type hints.
    """
    try:
        _check(ast.parse(text.lstrip()), text, rules, private=private)
    except (RecursionError, MemoryError):
        raise Refused([Violation("source.complexity", 0, 0, _COMPLEX)]) from None
    except (SyntaxError, ValueError) as error:
        raise Refused([Violation("syntax.error", 0, 0, f"not a Python expression: {error}")]) from None


def _check(tree: ast.Module, text: str, rules: _rules.Rules, *, private: bool = False) -> None:
    vetter = Vetter(rules, text, _bound_names(tree), private=private)
    vetter.visit(tree)
    if vetter.violations:
        raise Refused(vetter.violations)


def _bound_names(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """Return all names that the script binds itself, and those of its classes."""
    names, classes, count = set(), set(), 0
    for node in ast.walk(tree):
        count += 1
        if count > MAX_NODES:
            raise MemoryError
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
                classes.add(name)
            case ast.alias(name=name, asname=alias):
                names.add(alias or name)
    return frozenset(names), frozenset(classes)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _short(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")


class Vetter(ast.NodeVisitor):
    """Walks a tree and gathers violations."""

    def __init__(
        self, rules: _rules.Rules, text: str, bound: tuple[frozenset[str], frozenset[str]], *, private: bool
    ) -> None:
        self.violations: list[Violation] = []
        self._rules = rules
        self._lines = text.encode("utf-8", "replace").splitlines()
        self._bound, self._classes = bound
        self._private = private
        self._in_class = False  # directly in a class body, not in a method of it
        self._place: ast.AST | None = None

    # What every node goes through.

    def visit(self, node: ast.AST) -> None:
        """Dispatch on the node's exact class."""
        if hasattr(node, "lineno"):
            self._place = node
        super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        """Refuse a node class for which there is no method, and all below it."""
        kind = type(node).__name__
        self._find("node.unclassified", node, f"the syntax {kind} is not supported; write it another way")

    def _descend(self, node: ast.AST) -> None:
        super().generic_visit(node)

    def _find(self, rule: str, node: ast.AST, message: str) -> None:
        placed = node if hasattr(node, "lineno") else self._place
        line, column = getattr(placed, "lineno", 0), 0
        if 0 < line <= len(self._lines):
            before = self._lines[line - 1][: getattr(placed, "col_offset", 0)]
            column = len(before.decode("utf-8", "replace")) + 1
        self.violations.append(Violation(rule, line, column, message))

    # Names.

    def _bind(self, name: str | None, node: ast.AST) -> None:
        """Check a name that is bound or declared other than by a Name node."""
        if name is not None and _is_dunder(name):
            self._find("attribute.denied", node, f"the special name {_short(name)} is reserved; choose another")

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if name in self._rules.builtins and not (name in self._bound and not _is_dunder(name)):
            self._find("builtin.denied", node, _builtin_advice(name))
        elif _is_dunder(name) and not self._special_name(name, node.ctx):
            self._find("attribute.denied", node, _name_advice(name))
        self._descend(node)

    def _special_name(self, name: str, context: ast.expr_context) -> bool:
        if name.startswith(_PANDAS_LOCAL):
            return True
        if self._in_class:
            return name in _rules.METHOD_DUNDERS or name in _rules.CLASS_DUNDERS or name in _rules.NAME_DUNDERS
        if isinstance(context, ast.Load):
            return name in _rules.NAME_DUNDERS
        return name in {"__version__", "__author__", "__all__"}

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._attribute(node.attr, node, node.value)
        if _is_dunder(node.attr) and not isinstance(node.ctx, ast.Load):
            self._find("attribute.denied", node, f"the special attribute {_short(node.attr)} cannot be changed")
        self._descend(node)

    def _attribute(self, name: str, node: ast.AST, owner: ast.AST | None) -> None:
        reason = _rules.attribute_refusal(name, self._rules)
        if reason is None and name.startswith("_") and not _is_dunder(name) and not self._own(name, owner):
            short = _short(name)
            reason = f"{short} is private; use the public interface of the object, for a column df[{short}]"
        if reason is not None:
            self._find("attribute.denied", node, reason)

    def _own(self, name: str, owner: ast.AST | None) -> bool:
        """Private names are for the script's own classes, seen from inside."""
        match owner:
            case ast.Name(id=holder):
                own = holder in _SELF_NAMES or holder in self._classes
            case ast.Call(func=ast.Name(id="super" | "type")):
                own = True
            case _:
                own = False
        return own or self._private or name in _rules.PRIVATE_ATTRIBUTES

    # Imports.

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._bind(alias.asname, alias)
            root = alias.name.partition(".")[0]
            if alias.name not in self._rules.imports:
                self._find("import.denied", alias, self._import_advice(alias.name))
            elif alias.asname is None and root not in self._rules.imports:
                advice = f"this binds {_short(root)}, which is not allowed; write: import {alias.name} as name"
                self._find("import.denied", alias, advice)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None:
            self._find("import.denied", node, "relative imports are not available; import by full name")
            return
        for alias in node.names:
            self._bind(alias.asname, alias)
            self._imported_name(node.module, alias)

    def _imported_name(self, module: str, alias: ast.alias) -> None:
        name = alias.name
        if module == "__future__":
            return
        if module not in self._rules.imports and f"{module}.{name}" not in self._rules.imports:
            self._find("import.denied", alias, self._import_advice(module))
        elif name == "*":
            self._find("import.denied", alias, "star imports are not available; name what you need")
        elif name.startswith("_"):
            self._find("import.denied", alias, f"{_short(name)} is private; import a public name")
        elif f"{module}.{name}" not in self._rules.imports:
            reason = _rules.attribute_refusal(name, self._rules)
            if reason is not None:
                self._find("import.denied", alias, f"{_short(name)} may not be imported from {module}")

    def _import_advice(self, name: str) -> str:
        return f"{_short(name)} may not be imported; {_advice.instead_of_import(name, self._rules)}"

    # Definitions.

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, node)
        for part in (*node.decorator_list, *node.bases, *node.keywords, *node.type_params):
            self.visit(part)
        outer, self._in_class = self._in_class, True
        for statement in node.body:
            self.visit(statement)
        self._in_class = outer

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if not self._in_class:
            self._bind(node.name, node)
        elif _is_dunder(node.name) and node.name not in _rules.METHOD_DUNDERS:
            advice = f"the special method {_short(node.name)} cannot be defined; use an ordinary method"
            self._find("attribute.denied", node, advice)
        outer, self._in_class = self._in_class, False
        self._descend(node)
        self._in_class = outer

    visit_FunctionDef = _visit_function
    visit_AsyncFunctionDef = _visit_function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        outer, self._in_class = self._in_class, False
        self._descend(node)
        self._in_class = outer

    def visit_arg(self, node: ast.arg) -> None:
        self._bind(node.arg, node)
        self._descend(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        self._bind(node.arg, node)
        self._descend(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._bind(node.name, node)
        self._descend(node)

    def _visit_declaration(self, node: ast.Global | ast.Nonlocal) -> None:
        for name in node.names:
            self._bind(name, node)

    visit_Global = _visit_declaration
    visit_Nonlocal = _visit_declaration

    def _visit_type_parameter(self, node: ast.TypeVar | ast.ParamSpec | ast.TypeVarTuple) -> None:
        self._bind(node.name, node)
        self._descend(node)

    visit_TypeVar = _visit_type_parameter
    visit_ParamSpec = _visit_type_parameter
    visit_TypeVarTuple = _visit_type_parameter

    # Patterns: class patterns read attributes without an Attribute node.

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        for name in node.kwd_attrs:
            self._attribute(name, node, None)
        self._descend(node)

    def _visit_capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self._bind(node.name, node)
        self._descend(node)

    visit_MatchAs = _visit_capture
    visit_MatchStar = _visit_capture

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._bind(node.rest, node)
        self._descend(node)

    # Calls: format fields read attributes without an Attribute node.

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(value=ast.Constant(value=str(template)), attr=method) if method in _FORMAT_METHODS:
                for name in _format_attributes(template):
                    self._attribute(name, node, None)
        self._descend(node)

    # Nodes that are harmless in themselves; what they hold is checked.

    def _visit_children(self, node: ast.AST) -> None:
        self._descend(node)

    visit_Module = visit_Expr = _visit_children
    visit_Return = visit_Delete = visit_Assign = visit_TypeAlias = visit_AugAssign = _visit_children
    visit_AnnAssign = visit_For = visit_AsyncFor = visit_While = visit_If = visit_With = _visit_children
    visit_AsyncWith = visit_Match = visit_Raise = visit_Try = visit_TryStar = visit_Assert = _visit_children
    visit_Pass = visit_Break = visit_Continue = _visit_children
    visit_BoolOp = visit_NamedExpr = visit_BinOp = visit_UnaryOp = visit_IfExp = _visit_children
    visit_Dict = visit_Set = visit_ListComp = visit_SetComp = visit_DictComp = _visit_children
    visit_GeneratorExp = visit_Await = visit_Yield = visit_YieldFrom = visit_Compare = _visit_children
    visit_FormattedValue = visit_JoinedStr = visit_Constant = visit_Subscript = _visit_children
    visit_Starred = visit_List = visit_Tuple = visit_Slice = visit_comprehension = _visit_children
    visit_arguments = visit_withitem = visit_match_case = _visit_children
    visit_MatchValue = visit_MatchSingleton = visit_MatchSequence = visit_MatchOr = _visit_children
    visit_Load = visit_Store = visit_Del = visit_And = visit_Or = _visit_children
    visit_Add = visit_Sub = visit_Mult = visit_MatMult = visit_Div = visit_Mod = _visit_children
    visit_Pow = visit_LShift = visit_RShift = visit_BitOr = visit_BitXor = visit_BitAnd = _visit_children
    visit_FloorDiv = visit_Invert = visit_Not = visit_UAdd = visit_USub = visit_Eq = _visit_children
    visit_NotEq = visit_Lt = visit_LtE = visit_Gt = visit_GtE = visit_Is = visit_IsNot = _visit_children
    visit_In = visit_NotIn = _visit_children


def _format_attributes(template: str) -> Iterator[str]:
    """Yield the attribute names that the fields of a format string read."""
    try:
        for _, field, nested, _ in string.Formatter().parse(template):
            if field:
                for part in field.replace("[", ".").split(".")[1:]:
                    yield part.rstrip("]")
            if nested:
                yield from _format_attributes(nested)
    except ValueError:
        return  # not a format string: format() will raise the same


def _builtin_advice(name: str) -> str:
    advice = {
        "exit": "raise SystemExit instead",
        "quit": "raise SystemExit instead",
        "input": "there is nobody to ask; put the value into the script",
        "eval": "write the expression itself, or use json.loads for data",
        "exec": "write the statements themselves",
        "globals": "name the variable itself",
        "locals": "name the variable itself",
        "vars": "name the attributes themselves",
        "__import__": "write an import statement",
    }
    return f"{_short(name)} is not available; {advice.get(name, 'leave it out')}"


def _name_advice(name: str) -> str:
    if name == "__file__":
        return "'__file__' is not available; read from DATA and write to OUTPUT"
    return f"the special name {_short(name)} is not available"
