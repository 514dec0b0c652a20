"""Programs that nobody would write: the vetting answers each, the same way each time,
and what it accepts holds nothing that it refuses by name."""

from __future__ import annotations

import ast
import io
import os
import sys
import tokenize
import unittest
from typing import Any

from hotcell_guard.vetting import _fields, _nodes, _rewrite, _rules, _vet, _vetter
from hotcell_guard.vetting._violations import Refused
from tests.test_idioms import IDIOMS
from tests.test_vet import ACCEPTED, HELPERS, REFUSED, RULES

# Not part of the image; scripts/fetch-test-packages.sh has put it there for the tests.
sys.path.append("/tmp/packages")
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = "/tmp/hypothesis-examples"

from hypothesis import HealthCheck, given, settings  # noqa: E402  # sys.path first
from hypothesis import strategies as st  # noqa: E402

REPEATABLE = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "100")),
    deadline=None,  # times mean nothing on a shared machine
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

NAMES = (
    "a b self cls _p __m __dict__ __class__ __globals__ __init__ __match_args__ __builtins__ __import__ eval exec open getattr "
    "type format format_map obj f_back gi_frame os sys json pandas math int str _os print __new__ __setattr__ ｅval 𝓸𝓼 _"
).split()
CONSTANTS = (0, -1, 1.5, 1j, True, None, ..., b"x", "a", "{0.a}", "{0.__globals__}", "{0._p}", "{", "{0:{1.f_back}}")
MODULES = ("json", "os", "os.path", "pandas", "math", "json.decoder", "numpy", "")
TOKENS = (*NAMES, "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", ":=", "@", "*", "**", "->", "import", "from", "class", "def", "match",
          "case", "lambda", "async", "await", "global", "nonlocal", "del", "if", "else", "for", "in", "\n", "    ", "f'{", "'", '"""', "\\\n", "#")  # fmt: skip

_LEAVES = (ast.Name, ast.Constant)


class Grower:
    """Grows a tree along the fields that the abstract grammar declares."""

    def __init__(self, data: st.DataObject) -> None:
        self._draw = data.draw

    def module(self) -> ast.Module:
        body = [self.grow(ast.stmt, 3) for _ in range(self._draw(st.integers(1, 3)))]
        return ast.fix_missing_locations(ast.Module(body, []))

    def grow(self, declared: type[ast.AST], depth: int) -> ast.AST:
        """Return a node of a class or, for an abstract one, of one of its subclasses."""
        kinds = [declared] if declared._fields or not declared.__subclasses__() else list(declared.__subclasses__())
        kinds = [kind for kind in kinds if kind is not _nodes.Guarded and hasattr(kind, "_field_types")]
        if depth <= 0 and declared is ast.expr:
            kinds = list(_LEAVES)
        kind = self._draw(st.sampled_from(kinds))
        fields = {name: self._field(kind, name, inner, depth - 1) for name, inner in kind._field_types.items()}
        return kind(**fields)

    def _field(self, kind: type[ast.AST], name: str, declared: Any, depth: int) -> Any:
        if kind is ast.Constant and name == "value":
            return self._draw(st.sampled_from(CONSTANTS))
        if name in ("type_comment", "kind"):
            return None
        if kind in (ast.ImportFrom, ast.alias) and name in ("module", "name"):
            return self._draw(st.sampled_from(MODULES)) or None
        arguments = getattr(declared, "__args__", ())
        if getattr(declared, "__origin__", None) is list:
            return self._list(name, arguments[0], depth)
        if arguments:  # optional
            return None if self._draw(st.booleans()) else self._value(arguments[0], depth)
        return self._value(declared, depth)

    def _list(self, name: str, inner: Any, depth: int) -> list[Any]:
        least = 1 if name in ("body", "targets", "names", "cases", "items", "handlers", "generators", "values") else 0
        return [self._value(inner, depth) for _ in range(self._draw(st.integers(least, 2)))]

    def _value(self, declared: Any, depth: int) -> Any:
        if declared is str:
            return self._draw(st.sampled_from(NAMES))
        if declared is int:
            return self._draw(st.sampled_from((-1, 0, 1, 114)))
        if declared is object:
            return self._draw(st.sampled_from(CONSTANTS))
        return self.grow(declared, depth)


def answer(source: bytes) -> tuple[tuple[str, int, int, str], ...] | _vet.Checked:
    """Vet and compile: the findings, or what may run. Any other exception is a defect."""
    try:
        checked = _vet.vet(source, "script.py", RULES)
        checked.compile(HELPERS)
    except Refused as refused:
        if not refused.violations:
            raise AssertionError("refused without a reason") from None
        return tuple(tuple(each) for each in refused.violations)  # type: ignore[misc]
    return checked


def holes(tree: ast.Module) -> list[str]:
    """Look again at an accepted tree, another way than the vetting does."""
    found = []
    methods = {name.removeprefix("visit_") for name in vars(_vetter.Vetter) if name.startswith("visit_")}
    for node in ast.walk(tree):
        if type(node).__name__ not in methods | {"alias"}:
            found.append(f"unclassified {type(node).__name__}")
        if type(node) is ast.Attribute:
            found += attribute_holes(node)
        if isinstance(node, ast.MatchClass):
            found += [name for name in node.kwd_attrs if name.startswith("_") or name in _rules.GUARDED_ATTRIBUTES]
        if isinstance(node, ast.Name) and node.id in ("eval", "exec", "__import__", "__builtins__", "__build_class__"):
            bound = isinstance(node.ctx, ast.Store) or any(node.id in names_bound(each) for each in ast.walk(tree))
            found += [] if bound and not node.id.startswith("__") else [node.id]
    return found


def names_bound(node: ast.AST) -> set[str | None]:
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, ast.alias):
        return {node.asname or node.name.partition(".")[0]}
    return {getattr(node, name, None) for name in ("name", "arg", "rest")}


def attribute_holes(node: ast.Attribute) -> list[str]:
    name = node.attr
    template = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) and name in _fields.FORMAT_NAMES
    if name in _rules.INTERPRETER_ATTRIBUTES or name.strip("_") in _rules.DENIED_ATTRIBUTES:
        return [name]
    if name in _rules.GUARDED_ATTRIBUTES and isinstance(node.ctx, ast.Load) and not template:
        return [name]
    return [name] if name.startswith("_") and name not in _rules.PRIVATE_ATTRIBUTES | _rules.READABLE_DUNDERS else []


class Fuzz(unittest.TestCase):
    def judge(self, source: bytes) -> None:
        first, second = answer(source), answer(source)
        if isinstance(first, _vet.Checked):
            self.assertIsInstance(second, _vet.Checked)
            self.assertEqual(holes(first.tree), [], source)
            self.assertEqual(ast.dump(first.tree), ast.dump(second.tree))  # type: ignore[union-attr]
        else:
            self.assertEqual(first, second)

    def test_programs_of_the_grammar(self) -> None:
        valid = 0

        @REPEATABLE
        @given(st.data())
        def each(data: st.DataObject) -> None:
            nonlocal valid
            try:
                text = ast.unparse(Grower(data).module())
            except (ValueError, AttributeError, TypeError):
                return  # the grammar allows trees that are no program
            valid += parses(text)
            self.judge(text.encode("utf-8", "replace"))

        each()
        self.assertGreater(valid, 0)

    @REPEATABLE
    @given(st.data())
    def test_trees_that_no_text_gives(self, data: st.DataObject) -> None:
        tree = Grower(data).module()
        try:
            with _vet._refusals(""):
                survey = _rewrite.Survey(tree)
                survey.rewrite()
                _vet._check(tree, survey, _vetter.Vetter(RULES, "", survey))
        except Refused as refused:
            self.assertTrue(refused.violations)
        else:
            self.assertEqual(holes(tree), [])

    @REPEATABLE
    @given(st.sampled_from([*IDIOMS.values(), *ACCEPTED.values(), *(each[1][:5000] for each in REFUSED)]), st.data())
    def test_scripts_with_their_tokens_mixed_up(self, script: str, data: st.DataObject) -> None:
        tokens = [each.string + " " for each in read(script)]
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, max(len(tokens) - 1, 0)))
            action = data.draw(st.sampled_from(("drop", "double", "insert", "replace", "swap")))
            mix(tokens, place, action, data.draw(st.sampled_from(TOKENS)))
        self.judge("".join(tokens).encode("utf-8", "replace"))

    @REPEATABLE
    @given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
    def test_bytes(self, source: bytes) -> None:
        self.judge(source)

    @REPEATABLE
    @given(st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join))
    def test_tokens_in_any_order(self, text: str) -> None:
        self.judge(text.encode())

    def test_the_second_look_finds_holes(self) -> None:
        for code in ("x.__globals__", "x._a", "x.format", "x.gi_frame", "eval", "match x:\n    case A(_x=1): pass"):
            self.assertTrue(holes(ast.parse(code)), code)

    def test_what_can_be_nested_without_end_ends(self) -> None:
        for one, inner, other in (
            *(("(", "", ")"), ("[", "", "]"), ("{", "", "}"), ("-", "1", ""), ("not ", "x", ""), ("lambda: ", "x", "")),
            *(("f(", "", ")"), ("x[", "0", "]"), ("(yield ", "1", ")"), ("await ", "x", ""), ("*", "x", "")),
            *(("", "x", ".a"), ("", "x", "._a"), ("", "x", "()"), ("", "x", "+x"), ("", "x", "[0]"), ("", "x", " if x else x")),
            *(("f'{", "x", "}'"), ("", "x", " and x"), ("", "x", "=x"), ("{**", "x", "}"), ("[*", "x", "]"), ("", "a", ";a")),
        ):
            for count in (50, 99, 250, 1_000, 20_000):
                with self.subTest(one=one, other=other, count=count):
                    self.judge((one * count + inner + other * count).encode())
                    self.judge(("match x:\n case " + one * count + inner + other * count + ": pass").encode())

    def test_statements_nested_without_end_end(self) -> None:
        for head in ("if x:", "for x in x:", "while x:", "with x:", "try:", "def f():", "class A:", "match x:\n"):
            for count in (15, 30, 99, 200):
                lines = [" " * depth + head for depth in range(count)]
                self.judge("\n".join([*lines, " " * count + "pass"]).encode())
        self.judge(("if x: pass\n" + "elif x: pass\n" * 5_000).encode())


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def read(script: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(script).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def mix(tokens: list[str], place: int, action: str, other: str) -> None:
    if action == "insert" or not tokens:
        tokens.insert(place, other)
    elif action == "drop":
        del tokens[place]
    elif action == "double":
        tokens.insert(place, tokens[place])
    elif action == "replace":
        tokens[place] = other
    else:
        tokens[place], tokens[-1 - place] = tokens[-1 - place], tokens[place]
