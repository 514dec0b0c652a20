"""What library code sees where a look-up of an attribute is rewritten."""

from __future__ import annotations

import unittest
from typing import Any

from hotcell_guard.libraries import _lookups

SOURCE = """
def values(obj, *args, **named):
    found = [obj.__dict__["a"], obj.__dict__.get("a"), (obj or obj).__dict__.get("a")]
    found.append(obj.__dict__.get(*args, **named))
    found += [each.__dict__.get("a") for each in (obj, obj)]

    class Inner:
        def method(self):
            try:
                return obj.__dict__.get(1 / 0)
            except ZeroDivisionError:
                return (lambda: obj.__dict__["a"])()

    return [*found, Inner().method(), "a".__dict__ if 0 else None]
"""
LOOK_UPS = 8


class Held:
    """An object with one attribute."""

    def __init__(self) -> None:
        self.a = 1


def run(source: str, name: str, seen: list[object]) -> Any:
    def looker(obj: object) -> object:
        seen.append(obj)
        return vars(obj)

    scope: dict[str, Any] = {}
    exec(_lookups.rewritten(compile(source, "library", "exec"), {"__dict__": looker}), scope)
    return scope[name]


class LookUps(unittest.TestCase):
    def test_every_look_up_asks_and_the_code_does_what_it_did(self) -> None:
        plain: dict[str, Any] = {}
        exec(SOURCE, plain)
        held, seen = Held(), []
        values = run(SOURCE, "values", seen)
        self.assertEqual(values(held, "a"), plain["values"](held, "a"))
        self.assertEqual(len(seen), LOOK_UPS)
        for _ in range(100):  # specialised instructions, too
            self.assertEqual(values(held, "a"), plain["values"](held, "a"))

    def test_a_constant_that_a_jump_leads_past_is_no_constant(self) -> None:
        seen: list[object] = []
        held = Held()
        self.assertEqual(run("def f(x):\n    return (x or 'z').__dict__", "f", seen)(held), {"a": 1})
        self.assertEqual(seen, [held])

    def test_names_and_constants_beyond_255(self) -> None:
        lines = [f"    n.a{number} = n; n.b = {number} + 1000" for number in range(300)]
        source = "def f(n):\n" + "\n".join(lines) + "\n    return n.__dict__['b']"
        seen: list[object] = []
        self.assertEqual(run(source, "f", seen)(Held()), 1299)
        self.assertEqual(len(seen), 1)

    def test_code_without_such_a_look_up_stays_the_same_object(self) -> None:
        code = compile("def f(x):\n    return x.format()", "library", "exec")
        self.assertIs(_lookups.rewritten(code, {"__dict__": vars}), code)

    def test_what_is_left_is_told(self) -> None:
        code = compile("x.__dict__", "library", "eval")
        self.assertEqual(list(_lookups.looked_up(code)), ["__dict__"])
        self.assertEqual(list(_lookups.looked_up(_lookups.rewritten(code, {"__dict__": vars}))), [])
