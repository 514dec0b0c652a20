"""Checks a whole script, or an expression: from text to the tree that may be compiled.

What is checked is the tree after it has been rewritten, and that same tree is compiled.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import warnings

from hotcell_guard.vetting import _advice, _helpers, _levels, _source, _stars
from hotcell_guard.vetting._code import Code, await_answers, may_wait
from hotcell_guard.vetting._rewrite import Survey
from hotcell_guard.vetting._vetter import Vetter
from hotcell_guard.vetting._violations import Refused, Violation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Final

    from hotcell_guard.vetting import _rules

__all__ = ["Checked", "form", "vet", "vet_expression", "vet_text"]

_TEXT: Final = "<string>"
_COMPLEX: Final = "the script is too large or too deeply nested; split long expressions into statements"
_UNCHECKED: Final = "the script could not be checked; simplify the statement that is unusual"

_INCOMPLETE_ALLOWED: Final = 0x4000
"""CPython's PyCF_ALLOW_INCOMPLETE_INPUT, which has no name in Python: what lacks something raises an error of its own."""
_Incomplete: Final[type[SyntaxError]] = vars(builtins)["_IncompleteInputError"]


class Checked:
    """A script that may run: the tree that was checked. It is compiled only under the lock."""

    __slots__ = ("_name", "_text", "bound", "lines", "tree")

    def __init__(self, tree: ast.Module, text: str, name: str, bound: frozenset[str] = frozenset()) -> None:
        self.tree = tree
        self.bound = bound  # names that it can bind in its globals, at any time after it has begun
        self.lines = text.split("\n")
        self._text = text
        self._name = name

    def compile(self, helpers: Mapping[_helpers.Marker, object]) -> Code:
        """Compile the tree. Raises Refused: some rules of syntax are the compiler's."""
        with _refusals(self._text):
            return Code(self.tree, self._name, helpers, may_wait(self._text))


def vet(
    source: bytes, name: str, rules: _rules.Rules, known: Iterable[str] = (), reserved: frozenset[str] = frozenset()
) -> Checked:
    """Check a whole script. Raises Refused with every finding.

    known are the names that earlier scripts can have bound in the globals that it will have, reserved those that it may
    not bind there.
    """
    text = _source.decode(source)
    with _refusals(text):
        tree = ast.parse(text, name)
        _stars.name_all(tree, rules.imports)
        survey = Survey(tree, rules.syntax, known)
        survey.rewrite()
        if "__import__" not in rules.builtins:
            for each in survey.importing:  # the statement calls it by its own name, and gives less away
                each.id = _helpers.IMPORT
        if may_wait(text):
            await_answers(tree)
        _check(tree, survey, Vetter(rules, text, survey), reserved)
    return Checked(tree, text, name, frozenset(survey.bound | survey.imported))


@contextlib.contextmanager
def _refusals(text: str) -> Iterator[None]:
    """Turn what parser, checker and compiler raise into Refused, and ignore what they warn of."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except Refused:
        raise
    except SyntaxError as error:
        raise Refused([_syntax_error(error, text)]) from None
    except (RecursionError, MemoryError):
        raise Refused([Violation("source.complexity", 0, 0, _COMPLEX)]) from None
    except ValueError as error:
        raise Refused([Violation("syntax.error", 0, 0, f"the script is not valid Python: {error}")]) from None
    except Exception:  # whatever a crafted tree breaks in the checker, it does not run
        raise Refused([Violation("source.unchecked", 0, 0, _UNCHECKED)]) from None


def _syntax_error(error: SyntaxError, text: str) -> Violation:
    line = error.lineno or 0
    message = f"the script is not valid Python: {_advice.instead_of_line(text, line) or error.msg}"
    return Violation("syntax.error", line, max(error.offset or 0, 1) if line else 0, message)


def vet_text(
    text: str, rules: _rules.Rules, known: Iterable[str], helpers: Mapping[_helpers.Marker, object], *, expression: bool
) -> tuple[Code, frozenset[str]]:
    """Check and compile text that a script has evaluated; return which names it reads and does not bind itself, too.

    known are the names that its globals will hold. Raises Refused, and SyntaxError as Python does.
    """
    tree = ast.parse(text, _TEXT, "eval" if expression else "exec")
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | {
        node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)
    }
    checked = vet(text.encode("utf-8", "surrogatepass"), _TEXT, rules, known)
    # The last value is the script's own.
    code = checked.compile({marker: helper for marker, helper in helpers.items() if marker is not _helpers.KEEP})
    if code.is_whole:
        raise SyntaxError("'return' or 'await' outside function")
    return code, frozenset({node.id for node in names} - bound)


def form(source: bytes) -> str:
    """Tell what a text is that may not be all of a script; the words are the host's ``wire.Form``. None of it is run."""
    try:
        text = _source.decode(source)
        with _refusals(text):
            return _form(text)
    except Refused:  # so would the script be
        return "invalid"


def _form(text: str) -> str:
    try:
        tree = compile(text, "typed", "exec", ast.PyCF_ONLY_AST | _INCOMPLETE_ALLOWED, dont_inherit=True)
    except _Incomplete:
        return "open" if _is_open(text) else "head"
    last = type(tree.body[-1]) if tree.body else ast.Pass
    return "block" if {"body", "cases"} & set(last._fields) else "whole"


def _is_open(text: str) -> bool:
    """Tell whether what a text lacks is within a statement, and not behind a line of it: CPython's tokenizer says so."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return error.msg.startswith(("unterminated ", "unexpected EOF")) or error.msg.endswith("was never closed")
    return False


def vet_expression(text: str, rules: _rules.Rules, *, private: bool = False) -> None:
    """Check a string that a library is about to evaluate. Raises Refused.

    private accepts names with a leading underscore, as in libraries' type hints.
    Nothing is rewritten, so what depends on the object is refused.
    """
    try:
        tree = ast.parse(text.lstrip())
        survey = Survey(tree, rules.syntax)
        _check(tree, survey, Vetter(rules, text, survey, private=private))
    except (RecursionError, MemoryError):
        raise Refused([Violation("source.complexity", 0, 0, _COMPLEX)]) from None
    except (SyntaxError, ValueError) as error:
        raise Refused([Violation("syntax.error", 0, 0, f"not a Python expression: {error}")]) from None


def _check(tree: ast.Module, survey: Survey, vetter: Vetter, reserved: frozenset[str] = frozenset()) -> None:
    for node in survey.denied:
        vetter.deny(node)
    for name, node in _levels.binding(tree.body, reserved):
        vetter.deny_name(name, node)
    vetter.visit(tree)
    if vetter.violations:
        raise Refused(vetter.violations)
