from __future__ import annotations

import unittest

import numpy  # noqa: F401  # pylint: disable=unused-import  # plotly's figures bring it

from hotcell_guard.answering import _charts
from tests.host import IMPORTS
from tests.test_sessions import Case


class Figure:
    """Stands for a figure of plotly 6, which writes typed arrays."""

    def to_json(self) -> str:
        return (
            '{"data": [{"x": {"dtype": "i2", "bdata": "AQACAA=="}, "y": {"dtype": "f8", "bdata": "AAAAAAAA+D8="},'
            ' "z": {"dtype": "i1", "bdata": "AQIDBAUG", "shape": "2, 3"}, "bdata": 1, "dtype": "kept"}]}'
        )


class Plain(unittest.TestCase):
    def test_typed_arrays_become_lists(self) -> None:
        self.assertEqual(
            _charts._plain(Figure()),
            {"data": [{"x": [1, 2], "y": [1.5], "z": [[1, 2, 3], [4, 5, 6]], "bdata": 1, "dtype": "kept"}]},
        )


DRAW = (
    "import io, os, tempfile, matplotlib.pyplot as plt, plotly.graph_objects as go, plotly.io as pio\n"
    "fig, ax = plt.subplots()\nax.plot([1, 2])\n"
)
SAVED = {
    "saved": ("fig.savefig(OUTPUT / 'a.png')", 0),
    "by pyplot, which draws again": ("plt.savefig('a.png', bbox_inches='tight', dpi=50, facecolor='red')", 0),
    "with a layout that drawing makes": ("fig.set_layout_engine('constrained')\nplt.savefig('a.png')\nplt.show()", 0),
    "with matplotlib's own ending": ("fig.savefig('a')", 0),
    "twice": ("fig.savefig('a.png')\nfig.savefig(str(OUTPUT) + '/a.pdf')\nfig.savefig(io.BytesIO())", 0),
    "into a file": ("with open(OUTPUT / 'a.png', 'wb') as file: fig.savefig(file)", 0),
    "as a page": (
        "from matplotlib.backends.backend_pdf import PdfPages\nwith PdfPages(OUTPUT / 'a.pdf') as pages: pages.savefig(fig)",
        0,
    ),
    "and another one is not": ("fig.savefig('a.png')\nplt.figure()", 1),
    "changed since": ("fig.savefig('a.png')\nax.set_title('t')", 1),
    "a line's data changed": ("fig.savefig('a.png')\nax.lines[0].set_ydata([2, 1])", 1),
    "changed and drawn": ("fig.savefig('a.png')\nax.axhline(1)\nfig.canvas.draw()", 1),
    "changed, and saved to nothing": ("fig.savefig('a.png')\nax.axhline(1)\nfig.savefig(io.BytesIO())", 1),
    "changed, and saved again": ("fig.savefig('a.png')\nax.axhline(1)\nfig.savefig('b.png')", 0),
    "in memory": ("fig.savefig(io.BytesIO())", 1),
    "to scratch": ("fig.savefig(tempfile.gettempdir() + '/a.png')", 1),
    "in a form that cannot leave": ("fig.savefig('a.tiff')", 1),
    "and removed": ("fig.savefig('a.png')\nos.remove(OUTPUT / 'a.png')", 1),
    "a page, which cannot leave": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\np.write_html(OUTPUT / 'a.html')\nassert not (OUTPUT / 'a.html').exists()", 1),
    "a page with another ending": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\np.write_html('a.page')\nassert not (OUTPUT / 'a.page').exists()", 1),
    "a page in scratch": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\np.write_html(tempfile.gettempdir() + '/a.html')\nopen(tempfile.gettempdir() + '/a.html').close()", 1),
    "two pages of one that has no name": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\npio.write_html(p, 'a.html')\np.write_html(file='b.html')\ndel p", 1),
    "written as data": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\npio.write_json(p, file=str(OUTPUT / 'a.json'))", 0),
    "written and changed": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\np.write_json(OUTPUT / 'a.json')\np.add_bar(y=[1])\nNone", 1),
    "written and shown": ("plt.close()\np = go.Figure(go.Bar(y=[1]))\np.write_json(OUTPUT / 'a.json')\np.show()", 1),
    "written and the result": ("plt.close()\nresult = go.Figure(go.Bar(y=[1]))\nresult.write_json(OUTPUT / 'a.json')", 1),
    "a figure that says what it likes": (
        "class Own(type(fig)):\n  stale = False\n"
        "own = plt.figure(FigureClass=Own)\nfig.savefig('a.png')",
        1,
    ),
}
ENDINGS = [".png", ".pdf", ".html", ".json"]


class Saved(Case):
    def test_what_the_script_has_saved_does_not_come_twice(self) -> None:
        imports = [*IMPORTS, "matplotlib.backends.backend_pdf", "os", "tempfile"]
        talk = self.begin(imports=imports, endings=ENDINGS, denied_builtins=["globals"])
        for title, (code, charts) in SAVED.items():
            with self.subTest(title):
                run = self.completed(talk.step(f"{DRAW}{code}\nNone"))
                self.assertEqual((len(run.report["charts"]), run.raw_stderr), (charts, b""), run.stderr)

    def test_a_figure_that_pyplot_does_not_know_comes_once_in_a_session(self) -> None:
        talk = self.begin(imports=["matplotlib", "matplotlib.figure", "matplotlib.pyplot"])
        drawn = "import matplotlib.pyplot, matplotlib.figure\nown = matplotlib.figure.Figure()\nown.subplots().plot([1])\nNone"
        for code, charts in ((drawn, 1), ("1", 0), ("own.suptitle('t')\nNone", 1)):
            self.assertEqual(len(self.completed(talk.step(code)).report["charts"]), charts, code)
