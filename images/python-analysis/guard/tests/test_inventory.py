"""The inventory of the image's packages is whole, and what it rests on finds what it says."""

from __future__ import annotations

import ast
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from tests import inventory, places

FOUND = {
    "def f(o, n):\n    return getattr(o, n)": "getattr",
    "def f(o, n):\n    setattr(o, 'x' + n, 1)": "setattr",
    "def f(o, ns):\n    return [getattr(o, n) for n in ns]": "getattr",
    "def f(o, names=('a',)):\n    for n in names:\n        getattr(o, n)": "getattr",
    "N = ('a',)\ndef g():\n    global N\n    N = 1\ndef f(o):\n    return [getattr(o, n) for n in N]": "getattr",
    "def f(o, ns):\n    return map(getattr, o, ns)": "getattr as a value",
    "def f(t, o):\n    return t.format(o)": "format",
    "class A:\n    t = '{}'\n    def f(self, o):\n        return self.t.format(o)": "format",
    "def f(t):\n    return t.format": "format as a value",
    "def f(t, o):\n    return t % o": "%",
    "def f(o, n):\n    return o.__dict__[n]": "__dict__",
    "def f(o):\n    return vars(o)": "vars",
    "def f(t):\n    exec(t)": "exec",
    "def f(t):\n    return eval(t, {})": "eval",
    "def f(t):\n    return compile(t, '', 'eval')": "compile",
    "import importlib\ndef f(n):\n    return importlib.import_module(n)": "import_module",
    "def f(n):\n    return __import__(n)": "__import__",
    "import sys\ndef f(n):\n    return sys.modules[n]": "sys.modules",
    "import operator\ndef f(n):\n    return operator.attrgetter(n)": "attrgetter",
    "def f(p):\n    return open(p)": "open",
    "import pickle\ndef f(b):\n    return pickle.loads(b)": "pickle",
    "import ctypes\ndef f(p):\n    return ctypes.CDLL(p)": "ctypes",
    "def f(o, n, v):\n    object.__setattr__(o, n, v)": "__setattr__",
}
FIXED = (
    "def f(o):\n    return getattr(o, 'a')",
    "def f(o):\n    for n in ('a', 'b'):\n        getattr(o, f'_{n}')",
    "NAMES = 'a b'.split()\ndef f(o):\n    return [getattr(o, n) for n in NAMES]",
    "def f(o):\n    return '{}'.format(o)",
    "def f(o):\n    t = '{}'\n    return t.format(o)",
    "def f(o):\n    return o.__dict__['a'], 'b' in o.__dict__",
    "def f(a):\n    return a % 2",
)


def found_in(text: str) -> Counter[places.Place]:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "library.py"
        path.write_text(text)
        return places.Source("library", path).places()


class Finding(unittest.TestCase):
    def test_places_are_found(self) -> None:
        for text, sink in FOUND.items():
            with self.subTest(text):
                self.assertEqual({place.sink for place in found_in(text)}, {sink})

    def test_what_is_fixed_where_it_stands_is_none(self) -> None:
        for text in FIXED:
            with self.subTest(text):
                self.assertEqual(found_in(text), Counter())

    def test_a_change_of_the_statement_is_a_new_place(self) -> None:
        one, same, other = (
            found_in(f"def f(o, n):\n{lines}    return getattr(o, n{rest})")
            for lines, rest in (("", ""), ("    o = 1\n", ""), ("", " + 'a'"))
        )
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)

    def test_imports_are_followed_also_lazy_and_relative_ones(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "p").mkdir()
            (root / "p" / "__init__.py").write_text("def f():\n    from . import (\n        a, b as c)\n")
            for name, text in {"a": "import p.d as x", "b": "", "c": "", "d": ""}.items():
                (root / "p" / f"{name}.py").write_text(text)
            self.assertEqual(places.closure(places.sources((root,)), ["p"]), {"p", "p.a", "p.b", "p.d"})


class Inventory(unittest.TestCase):
    def test_every_place_of_the_image_is_classified_and_the_files_are_those_of_the_image(self) -> None:
        self.assertEqual(inventory.check(), [])

    def test_a_new_place_is_told_with_the_way_out(self) -> None:
        text = "def f(o, n):\n    return vars(o)[n]"
        [place] = found_in(text)
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "library.py"
            path.write_text(text)
            image = inventory.Image({"library": places.Source("library", path)}, {"library"}, Counter([place]))
            measured = inventory.Measured(deputies={}, lookups={}, texts=True, failed={})
            [fault] = inventory.faults(image, inventory.Judge(image, measured, {}))
            judged = inventory.Judge(image, measured, {inventory.key(place): "because"})
            self.assertEqual(inventory.faults(image, judged), [])
        self.assertIn("unclassified: library:f:vars ", fault)
        self.assertIn("--judge", fault)

    def test_the_words_say_something(self) -> None:
        for place, reason in inventory.read_judgements().items():
            with self.subTest(place):
                self.assertGreater(len(reason.split()), 3)

    def test_digests_do_not_go_by_lines(self) -> None:
        one, two = (ast.parse(text).body[0] for text in ("f(x)", "\n\nf( x )  # why"))
        self.assertEqual(places.digest(one), places.digest(two))
