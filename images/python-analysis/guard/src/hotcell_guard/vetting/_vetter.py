"""The checker: one method for every syntax node class that a script may hold.

A class without a method is refused, so a new Python version cannot bring syntax
that nobody has looked at.
"""

from __future__ import annotations

import ast

from hotcell_guard.vetting import _advice, _attempts, _fields, _helpers, _modules, _phrases, _rules
from hotcell_guard.vetting._nodes import FIELDS, Guarded, is_namespace
from hotcell_guard.vetting._rewrite import PATTERN_CLASS
from hotcell_guard.vetting._violations import Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.vetting._rewrite import Survey

__all__ = ["Vetter"]

_SUPER: Final = "super"
"""What is rewritten rests on this name: no script gives it another meaning, nor does a later step."""
_CONTEXTS: Final = frozenset((ast.Load, ast.Store, ast.Del))
_PANDAS_LOCAL: Final = "__pd_eval_local_"  # what pandas makes of @name in query and eval


def _short(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")


class Vetter:
    """Walks a tree and gathers violations."""

    def __init__(self, rules: _rules.Rules, text: str, survey: Survey, *, private: bool = False) -> None:
        self.violations: list[Violation] = []
        self._rules = rules
        self._text = text
        self._lines: list[bytes] = []  # made for the first finding
        self._bound = survey.bound | survey.imported
        self._private = private
        self._in_class = False  # directly in a class body, not in a method of it
        self._tried: set[int] = set()  # imports that may fail: the script catches that

    # What every node goes through.

    def visit(self, node: ast.AST) -> None:
        """Dispatch on the node's exact class."""
        visit = _VISITORS.get(node.__class__)
        if visit is None:
            self._unclassified(node)
        else:
            visit(self, node)

    def deny(self, node: ast.AST) -> None:
        """Note syntax that the policy denies."""
        kind = type(node).__name__
        self._find("syntax.denied", node, _rules.SYNTAX_ADVICE.get(kind, f"the policy denies the syntax {kind}"))

    def deny_name(self, name: str, node: ast.AST) -> None:
        """Note that a script binds at its own level what it and later ones need under this name."""
        self._find("name.reserved", node, f"{_short(name)} is a function of this run and stays one; choose another name")

    def _unclassified(self, node: ast.AST) -> None:
        """Refuse a node class for which there is no method, and all below it."""
        kind = type(node).__name__
        self._find("node.unclassified", node, f"the syntax {kind} is not supported; write it another way")

    def _descend(self, node: ast.AST) -> None:
        visitors = _VISITORS
        for field in FIELDS[node.__class__]:
            value = getattr(node, field)
            for child in value if value.__class__ is list else (value,):
                if child is not None:
                    visit = visitors.get(child.__class__)
                    if visit is None:
                        self._unclassified(child)
                    else:
                        visit(self, child)

    def _find(self, rule: str, node: ast.AST, message: str) -> None:
        line, column = getattr(node, "lineno", 0), 0
        if not self._lines:
            self._lines = self._text.encode("utf-8", "replace").split(b"\n")
        if 0 < line <= len(self._lines):
            before = self._lines[line - 1][: getattr(node, "col_offset", 0)]
            column = len(before.decode("utf-8", "replace")) + 1
        self.violations.append(Violation(rule, line, column, message))

    def _refuse(self, reason: str | None, node: ast.AST) -> None:
        if reason is not None:
            self._find("attribute.denied", node, reason)

    # Names.

    def _bind(self, name: str | None, node: ast.AST) -> None:
        """Check a name that is bound or declared other than by a Name node."""
        if name is not None and _rules.is_dunder(name):
            self._find("attribute.denied", node, f"the special name {_short(name)} is reserved; choose another")
        elif name == _SUPER:
            self.deny_name(name, node)

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if node.ctx.__class__ not in _CONTEXTS:
            self._unclassified(node.ctx)
        if name == _SUPER and node.ctx.__class__ is not ast.Load:
            self.deny_name(name, node)
        if name in self._rules.builtins and not (name in self._bound and not _rules.is_dunder(name)):
            self._find("builtin.denied", node, _builtin_advice(name, self._rules))
        elif name.startswith("__") and name.endswith("__") and not self._special_name(name, node.ctx):
            self._find("attribute.denied", node, _name_advice(name))

    def _special_name(self, name: str, context: ast.expr_context) -> bool:
        if name.startswith(_PANDAS_LOCAL):
            return True
        if self._in_class:
            return name in _rules.METHOD_DUNDERS or name in _rules.CLASS_DUNDERS or name in _rules.NAME_DUNDERS
        if isinstance(context, ast.Load):
            return name in _rules.NAME_DUNDERS
        return name in {"__version__", "__author__", "__all__"}

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Refuse what the rewriting has left: it depends on the object, or is never available."""
        name = node.attr
        reason = _rules.attribute_refusal(name, self._rules)
        known = isinstance(node.value, ast.Name) and node.value.id in self._bound
        if known and (reason is not None or name in _rules.DENIED_ATTRIBUTES):  # platform has a system, os has none
            reason = _advice.refused_name(node.value.id, name) or reason  # type: ignore[attr-defined]  # known: a Name
        if reason is None and node.ctx.__class__ is ast.Load:
            reason = self._unchecked_refusal(node)
        elif reason is None and _rules.is_dunder(name):
            reason = f"the special attribute {_short(name)} cannot be changed"
        elif reason is None and (self._private or not _rules.is_private(name)):
            # The rewriting leaves none: this is text that a library evaluates.
            reason = f"the attribute {_short(name)} cannot be set here; set it in a statement"
        if reason is None and _rules.is_private(name) and not self._private:
            reason = _private_advice(name)
        self._refuse(reason, node)
        self._descend(node)

    def _unchecked_refusal(self, node: ast.Attribute) -> str | None:
        if node.attr not in _rules.GUARDED_ATTRIBUTES:
            return None
        match node.value:
            case ast.Constant(value=str(template)) if node.attr in _fields.FORMAT_NAMES:
                refusals = (_rules.pattern_refusal(name, self._rules) for name in _fields.field_attributes(template))
                return next((reason for reason in refusals if reason is not None), None)
        return f"the attribute {_short(node.attr)} cannot be read here; read it in a statement before"

    def visit_Guarded(self, node: Guarded) -> None:
        """Accept an access whose object is checked when it happens, but no name that is never available."""
        name = node.attr
        reason = _rules.attribute_refusal(name, self._rules)
        changed = node.ctx.__class__ is not ast.Load
        special = changed and _rules.is_dunder(name) and not is_namespace(node)
        if reason is None and special and name not in _rules.WRITABLE_DUNDERS:
            reason = f"the special attribute {_short(name)} cannot be changed"
        self._refuse(reason, node)
        self._descend(node)

    # Imports.

    def visit_Import(self, node: ast.Import) -> None:
        if "Import" in self._rules.syntax:
            return
        for alias in node.names:
            self._bind(alias.asname, alias)
            if alias.name not in self._rules.imports and id(node) not in self._tried:
                self._find("import.denied", alias, self._import_advice(alias.name))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if "ImportFrom" in self._rules.syntax:
            return
        if node.level or node.module is None:
            self._find("import.denied", node, "relative imports are not available; import by full name")
            return
        if id(node) in self._tried:
            self._tried_names(node)
            return
        known = len(self.violations)
        for alias in node.names:
            self._bind(alias.asname, alias)
            if self._is_listed(node.module, alias.name):
                self._imported_name(node.module, alias)
            elif len(self.violations) == known:  # one word about the module, whatever is wanted of it
                self._find("import.denied", alias, self._import_advice(node.module))

    def _tried_names(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._bind(alias.asname, alias)
            if alias.name == "*":
                self._find("import.denied", alias, _advice.instead_of_star(node.module or ""))

    def _is_listed(self, module: str, name: str) -> bool:
        if module == "__main__" and name.isidentifier() and not name.startswith("_"):
            return True  # its own names, which timeit's texts import so
        return module == "__future__" or not self._rules.imports.isdisjoint((module, f"{module}.{name}"))

    def _imported_name(self, module: str, alias: ast.alias) -> None:
        name = alias.name
        if module in ("__future__", "__main__"):
            return
        if name == "*":
            self._find("import.denied", alias, _advice.instead_of_star(module))
        elif name.startswith("_") and name not in _modules.PRIVATE.get(module, ()):
            self._find("import.denied", alias, f"{_short(name)} is private; import a public name")
        elif f"{module}.{name}" not in self._rules.imports:
            reason = _rules.attribute_refusal(name, self._rules)
            if reason is not None:
                text = _advice.refused_name(module, name) or f"{_short(name)} may not be imported from {module}"
                self._find("import.denied", alias, text)

    def _import_advice(self, name: str) -> str:
        return f"{_short(name)} may not be imported; {_advice.instead_of_import(name, self._rules)}"

    def _visit_attempt(self, node: ast.Try | ast.With) -> None:
        """Leave imports whose failure the script catches to the run's ``__import__``, which raises ImportError."""
        self._tried.update(map(id, _attempts.imports(node)))
        self._descend(node)

    visit_Try = visit_With = _visit_attempt

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
        elif _rules.is_dunder(node.name) and node.name not in _rules.METHOD_DUNDERS:
            instead = _phrases.ATTRIBUTES.get(node.name, "use an ordinary method")
            advice = f"the special method {_short(node.name)} cannot be defined; {instead}"
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
        if node.patterns and not self._is_checked_pattern(node.cls):
            advice = "a pattern with positions cannot stand directly in a class body; write the match in a function"
            self._find("attribute.denied", node, advice)
        for name in node.kwd_attrs:
            reason = _rules.pattern_refusal(name, self._rules)
            if reason is not None:
                self._find("attribute.denied", node, reason)
        self._descend(node)

    def _is_checked_pattern(self, kind: ast.expr) -> bool:
        """Tell whether the class of a positional pattern has been rewritten."""
        return isinstance(kind, ast.Name) and kind.id.startswith(PATTERN_CLASS)

    def _visit_capture(self, node: ast.MatchAs | ast.MatchStar) -> None:
        self._bind(node.name, node)
        self._descend(node)

    visit_MatchAs = _visit_capture
    visit_MatchStar = _visit_capture

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._bind(node.rest, node)
        self._descend(node)

    # Calls: those of a helper name the attribute as a text.

    def visit_Call(self, node: ast.Call) -> None:
        match node:
            case ast.Call(
                func=ast.Constant(value=frozenset() as helper), args=[owner, ast.Constant(value=str(name))]
            ) if helper in _helpers.ACCESS:
                self._refuse(_rules.attribute_refusal(name, self._rules), node)
                self._late_template(node, owner, name)
        self._descend(node)

    def _late_template(self, node: ast.Call, owner: ast.expr, method: str) -> None:
        """Refuse now what the fields of a literal can never read."""
        if method in _fields.FORMAT_NAMES and isinstance(owner, ast.Constant) and isinstance(owner.value, str):
            for name in _fields.field_attributes(owner.value):
                self._refuse(_rules.attribute_refusal(name, self._rules), node)

    # Nodes that are harmless in themselves; what they hold is checked.

    def _visit_children(self, node: ast.AST) -> None:
        self._descend(node)

    visit_Module = visit_Expr = _visit_children
    visit_Return = visit_Delete = visit_Assign = visit_TypeAlias = visit_AugAssign = _visit_children
    visit_AnnAssign = visit_For = visit_AsyncFor = visit_While = visit_If = _visit_children
    visit_AsyncWith = visit_Match = visit_Raise = visit_TryStar = visit_Assert = _visit_children
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


def _visitors() -> dict[type, Callable[[Vetter, Any], None]]:
    """Pair every node class with its method, once: the walk is most of the vetting's time."""
    named = {name: method for name, method in vars(Vetter).items() if name.startswith("visit_")}
    methods = {name.removeprefix("visit_"): method for name, method in named.items()}
    kinds = {name: kind for name, kind in vars(ast).items() if isinstance(kind, type) and name in methods}
    return {kind: methods[name] for name, kind in kinds.items()} | {Guarded: Vetter.visit_Guarded}


_VISITORS: Final = _visitors()


def _builtin_advice(name: str, rules: _rules.Rules) -> str:
    said = f"there is nobody to ask; {_advice.instead_of_input(rules)}" if name == "input" else None
    return f"{_short(name)} is not available; {said or _phrases.BUILTINS.get(name, 'leave it out')}"


def _private_advice(name: str) -> str:
    short = _short(name)
    return f"{short} is private; use the public interface of the object, for a column df[{short}]"


def _name_advice(name: str) -> str:
    if name == "__file__":
        return "'__file__' is not available; read from DATA and write to OUTPUT"
    return f"the special name {_short(name)} is not available"
