"""What scripts may use of matplotlib's private attributes: plain values and what is drawn, and nothing behind them."""

from __future__ import annotations

import unittest

from tests.host import Host, Run

IMPORTS = """
    matplotlib matplotlib.pyplot matplotlib.path matplotlib.patches matplotlib.text matplotlib.animation
    matplotlib.layout_engine matplotlib.lines mpl_toolkits.mplot3d numpy textwrap io
""".split()

READ = """
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import ArrowStyle, BoxStyle
from matplotlib.path import Path

fig, ax = plt.subplots()
line, = ax.plot([1, 2], label="a")
legend = ax.legend()
assert Path([(0, 0), (1, 1)])._interpolation_steps == 1
assert type(legend._legend_box).__name__ == "VPacker" and ax._legend_title is None if hasattr(ax, "_legend_title") else True
assert type(line._xy) is np.ndarray and fig._suptitle is None and ax._axes is ax
assert BoxStyle._style_list is BoxStyle.get_styles() and issubclass(ArrowStyle.Fancy, ArrowStyle._Base)
assert hasattr(line, "_color") and not hasattr(line, "_nothing") and getattr(line, "_nothing", 3) == 3

assert ax._children == tuple(ax._children) and line in ax._children and legend._loc == 0
import matplotlib
assert matplotlib.__version_info__[:2] >= (3, 5)

class Arrow(ArrowStyle._Base):
    def __init__(self, size=1.0):
        self.size = size
        super().__init__()

    def transmute(self, path, mutation_size, linewidth):
        return Path([(0, 0), (self.size, 1)]), False

BoxStyle._style_list["mine"] = BoxStyle.Round
ax.text(0, 0, "t", bbox={"boxstyle": "mine,pad=0.2"})
del BoxStyle._style_list["mine"]
ax.annotate("", (0, 0), (1, 1), arrowprops={"arrowstyle": Arrow()})
solid = plt.figure().add_subplot(projection="3d")
dots = solid.scatter([1], [1], [1])
dots._offsets3d = ([2.0], [2.0], np.array([2.0]))
solid.xaxis._axinfo["grid"]["color"] = "r"
surface = solid.plot_surface(*np.mgrid[0:2, 0:2], np.zeros((2, 2)))
surface._facecolors2d = surface._facecolor3d
twin = ax.twinx()
twin._get_lines = ax._get_lines
assert [ax._get_lines.get_next_color(), twin.plot([1])[0].get_color()] == ["#ff7f0e", "#2ca02c"]
legend._ncols = 2
solid.figure.canvas.draw()
print(dots._offsets3d[0])
"""

REFUSED = """
import textwrap
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import BoxStyle
from matplotlib.text import Text

fig, ax = plt.subplots()
text = ax.text(0, 0, "t")
fig.canvas.draw()

class Both(textwrap.TextWrapper):
    pass

class Drawn(Line2D):
    pass

def refused(*names, of):
    for name in names:
        try:
            value = getattr(of, name)
        except AttributeError:
            continue
        raise AssertionError((of, name, value))

refused("_callbacks", "_axis_map", "_update_title_position", "_nothing", of=ax)
refused("_renderer", of=text)
refused("_axstack", "_canvas_callbacks", "_cachedRenderer", "_gci", of=fig)
refused("_renderer", "_toolbar", "_update_layout", "_key_press_handler_id", of=fig.canvas)
refused("_style_list", of=Line2D)
refused("_style_list", "_Base", of=textwrap.TextWrapper)
refused("_lineStyles", "_subslice_optim_min_size", of=Line2D)
refused("_split", of=Both())
refused("_api", "_get_style", of=BoxStyle)

def unset(of, name, value):
    try:
        setattr(of, name, value)
    except AttributeError:
        return
    raise AssertionError((of, name))

unset(ax, "_children", [])
unset(text, "_renderer", object())
unset(text, "_text", "x")
unset(BoxStyle, "_style_list", {})
unset(textwrap.TextWrapper(), "_offsets3d", ())
unset(Drawn([], []), "_color", object())
unset(np.zeros(1), "_facecolors2d", 1)
print("refused")
"""

PROGRAMS = """
import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib import animation

mpl.rcParams["animation.ffmpeg_path"] = mpl.rcParams["animation.convert_path"] = "/usr/bin/python3"
fig = plt.figure()
film = animation.FuncAnimation(fig, lambda number: [], frames=2)
for kind in (animation.FFMpegWriter, animation.ImageMagickWriter, animation.FFMpegFileWriter, animation.writers["ffmpeg"]):
    try:
        film.save("film.mp4", writer=kind())
    except FileNotFoundError as error:
        assert error.filename == "/usr/bin/python3", error
    else:
        raise AssertionError(kind)

class Program(animation.FFMpegWriter):
    @classmethod
    def bin_path(cls):
        return "/usr/bin/python3"

try:
    film.save("film.mp4", writer=Program())
except FileNotFoundError as error:
    print("none is started")
plt.close(fig)
"""


class Drawn(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def completed(self, code: str) -> Run:
        run = self.host.run(code, imports=IMPORTS)
        self.assertEqual((run.outcome, run.error), ("completed", ""), run.report)
        return run

    def test_values_and_what_is_drawn(self) -> None:
        self.assertEqual(self.completed(READ).stdout, "[2.0]\n")

    def test_what_leads_elsewhere(self) -> None:
        self.assertEqual(self.completed(REFUSED).stdout, "refused\n")

    def test_writers_of_films_start_no_program(self) -> None:
        self.assertEqual(self.completed(PROGRAMS).stdout, "none is started\n")

    def test_a_figure_that_cannot_be_drawn_costs_itself(self) -> None:
        code = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.set_title(r'$\\foo$')\nplt.figure()\nprint(1)"
        run = self.completed(code)
        self.assertEqual(run.stdout, "1\n")
        self.assertEqual(len(run.report["charts"]), 1)
        self.assertIn("could not be drawn (ValueError: ParseFatalException: Unknown symbol", str(run.report))


if __name__ == "__main__":
    unittest.main()
