"""SkewT-logP: custom axes, ticks and spines."""
from contextlib import ExitStack
from matplotlib.axes import Axes
import matplotlib.axis as maxis
from matplotlib.projections import register_projection
import matplotlib.spines as mspines
import matplotlib.transforms as transforms


class SkewXTick(maxis.XTick):
    def draw(self, renderer):
        with ExitStack() as stack:
            for artist in [self.gridline, self.tick1line, self.tick2line, self.label1, self.label2]:
                stack.callback(artist.set_visible, artist.get_visible())
            needs_lower = transforms.interval_contains(self.axes.lower_xlim, self.get_loc())
            needs_upper = transforms.interval_contains(self.axes.upper_xlim, self.get_loc())
            self.tick1line.set_visible(self.tick1line.get_visible() and needs_lower)
            self.label1.set_visible(self.label1.get_visible() and needs_lower)
            self.tick2line.set_visible(self.tick2line.get_visible() and needs_upper)
            super().draw(renderer)

    def get_view_interval(self):
        return self.axes.xaxis.get_view_interval()


class SkewXAxis(maxis.XAxis):
    def _get_tick(self, major):
        return SkewXTick(self.axes, None, major=major)

    def get_view_interval(self):
        return self.axes.upper_xlim[0], self.axes.lower_xlim[1]


class SkewSpine(mspines.Spine):
    def _adjust_location(self):
        pts = self._path.vertices
        if self.spine_type == "top":
            pts[:, 0] = self.axes.upper_xlim
        else:
            pts[:, 0] = self.axes.lower_xlim


class SkewXAxes(Axes):
    name = "skewx"

    def _init_axis(self):
        self.xaxis = SkewXAxis(self)
        self.spines.top.register_axis(self.xaxis)
        self.spines.bottom.register_axis(self.xaxis)
        self.yaxis = maxis.YAxis(self)
        self.spines.left.register_axis(self.yaxis)
        self.spines.right.register_axis(self.yaxis)

    def _gen_axes_spines(self):
        return {"top": SkewSpine.linear_spine(self, "top"), "bottom": mspines.Spine.linear_spine(self, "bottom"),
                "left": mspines.Spine.linear_spine(self, "left"), "right": mspines.Spine.linear_spine(self, "right")}

    def _set_lim_and_transforms(self):
        super()._set_lim_and_transforms()
        rot = 30
        self.transDataToAxes = self.transScale + self.transLimits + transforms.Affine2D().skew_deg(rot, 0)
        self.transData = self.transDataToAxes + self.transAxes
        self._xaxis_transform = transforms.blended_transform_factory(self.transScale + self.transLimits, transforms.IdentityTransform()) + transforms.Affine2D().skew_deg(rot, 0) + self.transAxes

    @property
    def lower_xlim(self):
        return self.axes.viewLim.intervalx

    @property
    def upper_xlim(self):
        pts = [[0., 1.], [1., 1.]]
        return self.transDataToAxes.inverted().transform(pts)[:, 0]


register_projection(SkewXAxes)
if __name__ == "__main__":
    import matplotlib.pyplot as plt
    from matplotlib.ticker import MultipleLocator, NullFormatter, ScalarFormatter
    fig = plt.figure(figsize=(6.5875, 6.2125))
    ax = fig.add_subplot(projection="skewx")
    plt.grid(True)
    ax.semilogy([20, 10, -10], [1000, 800, 300], color="C3")
    ax.yaxis.set_major_formatter(ScalarFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylim(1050, 100)
    ax.xaxis.set_major_locator(MultipleLocator(10))
    ax.set_xlim(-50, 50)
    fig.canvas.draw()
    print(ax.upper_xlim.round(2))
    print(ax.lower_xlim, len(ax.xaxis.get_major_ticks()) > 3, type(ax.xaxis.get_major_ticks()[0]).__name__)
    plt.show()
