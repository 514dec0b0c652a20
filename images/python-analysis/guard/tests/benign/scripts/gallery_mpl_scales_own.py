import numpy as np
from numpy import ma
import matplotlib.pyplot as plt
from matplotlib import scale as mscale
from matplotlib import transforms as mtransforms
from matplotlib.ticker import AutoLocator, FixedLocator, FuncFormatter, NullFormatter, NullLocator, ScalarFormatter, AutoMinorLocator

class MercatorScale(mscale.ScaleBase):
    name = "mercator"

    def __init__(self, axis, *, thresh=np.deg2rad(85), **kwargs):
        super().__init__(axis)
        if thresh >= np.pi / 2:
            raise ValueError("thresh must be less than pi/2")
        self.thresh = thresh

    def get_transform(self):
        return self.MercatorTransform(self.thresh)

    def set_default_locators_and_formatters(self, axis):
        fmt = FuncFormatter(lambda x, pos=None: f"{np.degrees(x):.0f}\N{DEGREE SIGN}")
        axis.set(major_locator=FixedLocator(np.radians(range(-90, 90, 10))), major_formatter=fmt, minor_formatter=fmt)

    def limit_range_for_scale(self, vmin, vmax, minpos):
        return max(vmin, -self.thresh), min(vmax, self.thresh)

    class MercatorTransform(mtransforms.Transform):
        input_dims = output_dims = 1

        def __init__(self, thresh):
            mtransforms.Transform.__init__(self)
            self.thresh = thresh

        def transform_non_affine(self, a):
            masked = ma.masked_where((a < -self.thresh) | (a > self.thresh), a)
            if masked.mask.any():
                return ma.log(np.abs(ma.tan(masked) + 1 / ma.cos(masked)))
            return np.log(np.abs(np.tan(a) + 1 / np.cos(a)))

        def inverted(self):
            return MercatorScale.Inverted(self.thresh)

    class Inverted(mtransforms.Transform):
        input_dims = output_dims = 1

        def __init__(self, thresh):
            super().__init__()
            self.thresh = thresh

        def transform_non_affine(self, a):
            return np.arctan(np.sinh(a))

        def inverted(self):
            return MercatorScale.MercatorTransform(self.thresh)

mscale.register_scale(MercatorScale)

class SquareRootScale(mscale.FuncScale):
    name = "sq"
    def __init__(self, axis, **kw):
        super().__init__(axis, functions=(np.sqrt, np.square))

mscale.register_scale(SquareRootScale)
fig, axs = plt.subplots(2, 3)
t = np.arange(-170.0, 170.0, 0.1)
axs[0, 0].plot(t, np.radians(t / 2.)); axs[0, 0].set_yscale("mercator")
axs[0, 1].plot([1, 4, 9]); axs[0, 1].set_yscale("sq")
axs[0, 2].set_xscale("function", functions=(lambda x: x**2, lambda x: np.sign(x) * np.sqrt(np.abs(x)))); axs[0, 2].plot([1, 2, 3])
axs[1, 0].set_yscale("asinh", linear_width=0.5); axs[1, 0].plot([-100, 0, 100])
axs[1, 1].set_yscale("logit", one_half="1/2", use_overline=True); axs[1, 1].plot([0.01, 0.5, 0.99])
axs[1, 2].set_xscale("log", base=2, subs=[3], nonpositive="mask"); axs[1, 2].plot([1, 2, 8], [1, 2, 3]); axs[1, 2].set_yscale("functionlog", functions=(lambda x: x, lambda x: x), base=10)
fig.canvas.draw()
print([a.get_yscale() for a in axs.flat], sorted(mscale.get_scale_names())[:4], [t.get_text() for t in axs[0, 0].get_yticklabels()][:3])
print(axs[0, 0].transScale.transform([[0, 0.5]]).round(4), axs[1, 0].yaxis.get_transform().transform([1.0]).round(4), type(mscale.scale_factory("log", axs[0, 0].xaxis, base=3)).__name__)
axs[0, 1].set_xscale(mscale.SymmetricalLogScale(axs[0, 1].xaxis, linthresh=2)) ; print(axs[0, 1].get_xscale(), axs[1, 1].get_yaxis().get_major_formatter().__class__.__name__)
