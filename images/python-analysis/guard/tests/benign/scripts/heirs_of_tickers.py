"""Formatters and a scale of one's own."""

import matplotlib.pyplot as plt
import matplotlib.scale as mscale
import matplotlib.transforms as mtransforms
import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, ScalarFormatter


class FixedOrder(ScalarFormatter):
    def __init__(self, order, fformat="%1.1f"):
        self.order = order
        self.fformat = fformat
        super().__init__(useOffset=False, useMathText=True)

    def _set_order_of_magnitude(self):
        self.orderOfMagnitude = self.order

    def _set_format(self, vmin=None, vmax=None):
        self.format = self.fformat


class SquareRoot(mscale.ScaleBase):
    name = "squareroot_of_ours"

    def set_default_locators_and_formatters(self, axis):
        axis.set_major_locator(FixedLocator([0, 1, 4, 9, 16]))
        axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))

    def limit_range_for_scale(self, vmin, vmax, minpos):
        return max(0.0, vmin), vmax

    class Forward(mtransforms.Transform):
        input_dims = output_dims = 1

        def transform_non_affine(self, values):
            return np.sqrt(np.maximum(values, 0))

        def inverted(self):
            return SquareRoot.Backward()

    class Backward(mtransforms.Transform):
        input_dims = output_dims = 1

        def transform_non_affine(self, values):
            return np.square(values)

        def inverted(self):
            return SquareRoot.Forward()

    def get_transform(self):
        return self.Forward()


mscale.register_scale(SquareRoot)
fig, (left, right) = plt.subplots(1, 2)
left.plot([0, 2000, 4000])
left.yaxis.set_major_formatter(FixedOrder(3))
right.plot(np.arange(17))
right.set_yscale("squareroot_of_ours")
fig.canvas.draw()
print([label.get_text() for label in left.get_yticklabels()][:3])
print([label.get_text() for label in right.get_yticklabels()])
