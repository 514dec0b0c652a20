"""Programs that await and return at their own level do what Python says of the same without it.

Each is drawn together with its twin, a module like any other: where the program returns the twin
raises what nothing in it catches, and where the program awaits, the twin calls. One that does neither
is compared with itself, once with a return that is never reached. Compared is all that is left:
variables, what was printed, the value, the exception and its line.
"""

from __future__ import annotations

import ast
import contextlib
import io
import types
import unittest
from typing import Any

from hotcell_guard.vetting._code import Code
from tests.test_fuzz import REPEATABLE, given, st

NAMES = ("a", "b", "c")
HEAD = "def pass_on(x):\n    return x\nclass Held:\n    def __enter__(self): return 1\n    def __exit__(self, *e): print('left')\n"
BODIES = ("if", "for", "while", "with", "match", "try", "else")
LEAVING = {"": (), "while": ("break",), "for": ("break", "continue")}  # a while that goes on goes on for good


class Stop(BaseException):
    """What a twin raises in place of a return."""


class Writer:
    """Draws a program line by line, and its twin."""

    def __init__(self, data: st.DataObject, *, returns: bool, awaits: bool) -> None:
        self._draw = data.draw
        self._returns, self._awaits = returns, awaits
        self.lines: list[tuple[str, str]] = []

    def block(self, indent: str, depth: int, *, top: bool = True, loop: str = "") -> None:
        for _ in range(self._draw(st.integers(1, 3))):
            self._statement(indent, depth, top, loop)

    def expression(self, top: bool = True) -> tuple[str, str]:
        name, number = self._draw(st.sampled_from(NAMES)), str(self._draw(st.integers(0, 3)))
        one = self._draw(
            st.sampled_from((
                *(name, number, f"{name} + {number}", f"{number} // {name}", f"(lambda: {name})()", f"f'{{{name}!r}}'"),
                *(f"[{name} + i for i in range(2)]", f"[{name} := i for i in range(3)]", f"sorted({{{name}: {number}}})"),
            ))
        )  # fmt: skip
        if top and self._awaits and self._draw(st.booleans()):
            return f"await pass_on({one})", f"pass_on({one})"
        return one, one

    def _line(self, indent: str, program: str, twin: str = "") -> None:
        self.lines.append((indent + program, indent + (twin or program)))

    def _pair(self, indent: str, form: str, top: bool) -> None:
        program, twin = self.expression(top)
        self._line(indent, form.format(program), form.format(twin))

    def _statement(self, indent: str, depth: int, top: bool, loop: str) -> None:
        simple = ["assign", "add", "annotate", "delete", "print", "import", "raise"]
        kinds = [*simple, *LEAVING[loop], *(["return"] * 2 if self._returns and top else [])]
        kind = self._draw(st.sampled_from(kinds if depth <= 0 else [*kinds, *BODIES, "def", "class"]))
        if kind in BODIES:
            self._compound(kind, indent, depth - 1, top, loop)
        elif kind in ("def", "class"):
            self._definition(kind, indent, depth - 1)
        elif kind == "return":
            program, twin = self.expression()
            self._line(indent, f"return {program}", f"raise Stop({twin})")
        elif kind in ("break", "continue"):
            self._line(indent, kind)
        else:
            name = self._draw(st.sampled_from(NAMES))
            form = {
                "assign": f"{name} = {{}}", "add": f"{name} += {{}}", "annotate": f"{name}: int = {{}}", "delete": f"del {name}",
                "print": "print({})", "import": f"import math as {name}", "raise": "raise KeyError({})",
            }[kind]  # fmt: skip
            self._pair(indent, form, top)

    def _compound(self, kind: str, indent: str, depth: int, top: bool, loop: str) -> None:
        if kind == "try" and self._returns:
            kind = "if"  # a handler would meet the twin's exception, and no return
        name, inner = self._draw(st.sampled_from(NAMES)), indent + "    "
        heads = {"for": f"for {name} in range(2):", "while": "while True:", "with": f"with Held() as {name}:", "try": "try:"}
        if kind == "match":
            self._pair(indent, "match {}:", top)
            self._line(inner, self._draw(st.sampled_from((f"case [{name}, *_]:", f"case int() as {name}:", f"case {name}:"))))
            self.block(inner + "    ", depth, top=top, loop=loop)
        elif kind in heads:
            self._line(indent, heads[kind])
            self.block(inner, depth, top=top, loop=kind if kind in ("for", "while") else loop)
        else:
            self._pair(indent, "if {}:", top)
            self.block(inner, depth, top=top, loop=loop)
        if kind == "while":
            self._line(inner, "break")
        if kind == "try":
            self._line(indent, f"except Exception as {name}:")
            self.block(inner, depth, top=top, loop=loop)
        ends = {"try": "finally:", "for": "else:", "else": "else:"}
        if kind in ends and self._draw(st.booleans()):
            self._line(indent, ends[kind])
            self.block(inner, depth, top=top, loop=loop)

    def _definition(self, kind: str, indent: str, depth: int) -> None:
        name, inner = self._draw(st.sampled_from(NAMES)), indent + "    "
        if kind == "class":
            self._line(indent, f"class {name}:")
            self.block(inner, depth, top=False)
            return
        self._line(indent, "def inner():")
        if self._draw(st.booleans()):
            self._line(inner, f"global {name}")
        self.block(inner, depth, top=False)
        self._pair(inner, "return {}", False)
        self._line(indent, f"{name} = inner()")


def outcome(code: Code | types.CodeType) -> dict[str, Any]:
    """Run a program, and return all that is left of it."""
    space: dict[str, Any] = {"Stop": Stop, "a": 1, "b": [2]}
    left: dict[str, Any] = {"value": None, "returned": False, "raised": None}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            if isinstance(code, Code):
                left["value"], left["returned"] = code.run(space, drive)
            else:
                exec(code, space)
        except Stop as stop:
            left["value"], left["returned"] = stop.args[0], True
        except Exception as error:
            left["raised"] = [type(error).__name__, str(error), line_of(error)]
    shown = {name: shape(value) for name, value in space.items() if name in (*NAMES, "inner", "i")}
    return {**left, "value": shape(left["value"]), "said": said.getvalue(), "names": shown}


def shape(value: object) -> str:
    """Show a value without its address."""
    if isinstance(value, type | types.FunctionType):
        return f"{type(value).__name__} {value.__qualname__} of {sorted(vars(value))}"
    return repr(value) if isinstance(value, int | str | list | dict | None) else type(value).__name__


def line_of(error: BaseException) -> int:
    trace, line = error.__traceback__, 0
    while trace:
        if trace.tb_frame.f_code.co_filename == "script.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def drive(coroutine: Any) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits for nothing that there is")


def code_of(text: str) -> Code:
    return Code(ast.parse(text), "script.py", {}, "await" in text)


class TopLevel(unittest.TestCase):
    def compare(self, data: st.DataObject, *, returns: bool, awaits: bool) -> bool:
        """Return whether the program did what it was drawn for."""
        writer = Writer(data, returns=returns, awaits=awaits)
        writer.block("", 2)
        if not returns and not awaits:
            writer.lines.append(("if not 1: return", "if not 1: pass"))
        program, twin = ("\n".join(lines) + "\n" for lines in zip(*writer.lines, strict=True))
        head = HEAD.replace("def pass_on", "async def pass_on") if awaits else HEAD
        try:
            as_module = compile(HEAD + twin, "script.py", "exec", dont_inherit=True)
        except SyntaxError:
            self.assertRaises(SyntaxError, code_of, head + program)
            return False
        found = outcome(code_of(head + program))
        self.assertEqual(found, outcome(as_module), head + program)
        return bool(found["returned"]) if returns else ("await" in program if awaits else found["raised"] is None)

    def check(self, *, returns: bool, awaits: bool) -> None:
        done = 0

        @REPEATABLE
        @given(st.data())
        def each(data: st.DataObject) -> None:
            nonlocal done
            done += self.compare(data, returns=returns, awaits=awaits)

        each()
        self.assertGreater(done, 0)

    def test_a_return_that_is_not_reached_changes_nothing(self) -> None:
        self.check(returns=False, awaits=False)

    def test_a_return_ends_the_script_where_it_stands(self) -> None:
        self.check(returns=True, awaits=False)

    def test_an_await_of_a_value_is_a_call(self) -> None:
        self.check(returns=False, awaits=True)

    def test_both(self) -> None:
        self.check(returns=True, awaits=True)


if __name__ == "__main__":
    unittest.main()
