"""A stock ledger on leaning axes: weeks lean to the right, so that deliveries of one order line up."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, XTick, YAxis
from matplotlib.projections import get_projection_names, register_projection
from matplotlib.spines import Spine
from matplotlib.ticker import FuncFormatter, MultipleLocator
from matplotlib.transforms import Affine2D, IdentityTransform, blended_transform_factory


class WeekTick(XTick):
    """Shows its label only for weeks in which something was delivered."""

    delivered = frozenset({2, 4, 8})

    def draw(self, renderer):
        shown = round(self.get_loc()) in self.delivered
        self.label1.set_visible(shown)
        self.tick1line.set_visible(shown)
        super().draw(renderer)


class WeekAxis(XAxis):
    def _get_tick(self, major):
        return WeekTick(self.axes, None, major=major)


class SlantedSpine(Spine):
    moved = 0

    def _adjust_location(self):
        super()._adjust_location()
        type(self).moved += 1


class LedgerAxes(Axes):
    name = "ledger"
    lean = 18.0

    def __init__(self, *args, lean=None, **kwargs):
        if lean is not None:
            self.lean = lean
        super().__init__(*args, **kwargs)

    def _init_axis(self):
        self.xaxis = WeekAxis(self)
        self.yaxis = YAxis(self)
        for side, axis in (("bottom", self.xaxis), ("top", self.xaxis), ("left", self.yaxis), ("right", self.yaxis)):
            self.spines[side].register_axis(axis)

    def _gen_axes_spines(self, locations=None, offset=0.0, units="inches"):
        return {side: SlantedSpine.linear_spine(self, side) for side in ("left", "right", "bottom", "top")}

    def _set_lim_and_transforms(self):
        super()._set_lim_and_transforms()
        leaning = Affine2D().skew_deg(self.lean, 0)
        self._slanted = self.transScale + self.transLimits + leaning
        self.transData = self._slanted + self.transAxes
        self._xaxis_transform = blended_transform_factory(self.transScale + self.transLimits, IdentityTransform()) + leaning + self.transAxes

    def shift_at_top(self):
        foot, head = self._slanted.transform([[0.0, self.viewLim.y0], [0.0, self.viewLim.y1]])
        return float(head[0] - foot[0])

    def format_coord(self, x, y):
        return f"week {x:.0f}: {y:.0f} crates"


register_projection(LedgerAxes)
weeks, crates = np.arange(1, 11), np.array([40, 32, 55, 48, 71, 60, 52, 80, 66, 58])
fig = plt.figure(figsize=(6, 4))
ax = fig.add_subplot(projection="ledger", lean=25)
ax.step(weeks, crates, where="mid", color="tab:brown")
ax.axhline(crates.mean(), ls=":")
ax.xaxis.set_major_locator(MultipleLocator(1))
ax.xaxis.set_major_formatter(FuncFormatter(lambda value, position: f"W{value:.0f}"))
ax.set(xlim=(0, 11), ylim=(0, 90), ylabel="crates")
ax.grid(alpha=0.4)
fig.canvas.draw()
print(ax.name in get_projection_names(), ax.lean, LedgerAxes.lean, round(ax.shift_at_top(), 3))
print([tick.label1.get_text() for tick in ax.xaxis.get_major_ticks() if tick.label1.get_visible()])
print(type(ax.xaxis).__name__, type(ax.spines["top"]).__name__, SlantedSpine.moved > 0, ax.format_coord(3.2, 41))
