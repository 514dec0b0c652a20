"""What libraries hand to a script or take from it beside data: assertions, templates, managers, modules of paths."""

from __future__ import annotations

import sys
import traceback
import unittest
from types import SimpleNamespace

from hotcell_guard.granting._attributes import Attributes
from hotcell_guard.libraries import _standard
from hotcell_guard.vetting._rules import Rules
from tests.host import IMPORTS, Host

WORKING = r"""
import contextlib
import pathlib
import re
import numpy as np
import pandas as pd

def said(function, *args):
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"

raising, matching = np.testing.assert_raises, np.testing.assert_raises_regex
with raising(ValueError) as caught:
    int("x")
assert "invalid literal" in str(caught.exception)
assert raising((TypeError, ValueError), int, "y") is matching(ValueError, re.compile("invalid lit"), int, "x") is None
assert said(raising, ValueError, int, "3") == "AssertionError: ValueError not raised"
assert said(raising, (TypeError, ValueError), int, "3") == "AssertionError: TypeError or ValueError not raised"
assert said(matching, ValueError, "nope", int, "x").startswith('AssertionError: "nope" does not match "invalid')
assert said(raising, KeyError, int, "x").startswith("ValueError: ")

df = pd.DataFrame({"a": [1, 2]}, index=["x", "y"])
assert "x & 1.0" in df.style.format("{:.1f}").to_latex() and "cellcolor" in df.style.highlight_max().to_latex(convert_css=True)
assert "<table" in df.style.to_html() and df.style.to_string() and "sum & 3" in df.style.concat(df.agg(["sum"]).style).to_latex()
template = df.style.template_html
for change in (lambda: setattr(template, "render", print), lambda: setattr(template, "globals", {}), lambda: template.render(uuid="x")):
    assert said(change)
template.globals["parse_wrap"] = print
assert template.globals == {}

class Heir(pd.DataFrame):
    @property
    def _constructor(self):
        return Heir

heir = Heir(df)
assert type(pd.concat([heir, df])) is Heir and pd.concat([heir.a, df.a], axis=1).shape == (2, 2)
assert pd.concat([pd.Series(pd.Categorical(["a"])), pd.Series(["b"])]).tolist() == ["a", "b"] and pd.api.types.is_list_like(df.index)
assert (pd.array([1, None]) + pd.array([2, 3]))[0] == 3 and pd.Index([1]).append(pd.Index([2])).tolist() == [1, 2]
assert pd.IntervalIndex.from_breaks([0, 1, 2]).get_indexer([0.5]).tolist() == [0]

class Table:
    _typ = "dataframe"

def function(): pass
function._typ = "dataframe"
for fake in (Table(), Table, function):
    assert "only Series and DataFrame" in said(pd.concat, [fake, df]), said(pd.concat, [fake, df])

path = pathlib.Path("a/b.txt")
assert path.parser.join("a", "b") == "a/b" and path.relative_to("a").name == "b.txt" and path.match("*.txt") and path.resolve().name == "b.txt"
assert pathlib.PureWindowsPath("C:/X") == pathlib.PureWindowsPath("c:/x") and pathlib.PureWindowsPath("c:\\x").parts == ("c:\\", "x")
assert not {"getsize", "realpath", "exists", "expandvars", "os"} & {*dir(path.parser)} and not path.exists() and not path.is_mount()
manager = np.printoptions(precision=2)
for name in ("gen", "func", "args", "kwds", "_gen", "_func"):
    assert said(getattr, manager, name).startswith("AttributeError"), name
with manager as options:
    assert options["precision"] == 2 and str(np.array([1 / 3])) == "[0.33]"

@contextlib.contextmanager
def opened(*names, **options):
    told.append(names)
    try:
        yield options
    finally:
        told.append("closed")

told = []
with opened("a", b=1) as options, contextlib.ExitStack() as stack:
    assert options == {"b": 1} and stack.enter_context(opened()) == {}
@opened("c")
def decorated(): raise KeyError("d")
assert said(decorated) == said(decorated) == "KeyError: 'd'" and told == [("a",), (), *["closed"] * 2, *[("c",), "closed"] * 2], told
print("worked")
"""


class LentObjects(unittest.TestCase):
    def test_what_scripts_use(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(WORKING, imports=[*IMPORTS, "pathlib"])
        self.assertEqual(("worked\n", "completed"), (run.stdout, run.outcome), run.stderr + str(run.report))

    def test_no_list_of_frames_holds_their_variables(self) -> None:
        summary = type("Summary", (traceback.StackSummary,), {})
        _standard._tell_no_locals(SimpleNamespace(StackSummary=summary))
        frames = [(sys._getframe(), 1)]
        self.assertIn("frames", traceback.StackSummary.extract(frames, capture_locals=True)[0].locals or ())
        self.assertIsNone(summary.extract(frames, capture_locals=True)[0].locals)

    def test_what_decides_is_told_without_an_address(self) -> None:
        attributes = Attributes(Rules(frozenset(), frozenset(), frozenset()))
        self.assertEqual("<attributes> <ownership>", f"{attributes!r} {attributes.ownership!r}")
