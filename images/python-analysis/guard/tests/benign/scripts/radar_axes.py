"""A projection of one's own: a radar chart as a class of axes."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle
from matplotlib.projections import PolarAxes, register_projection

theta = np.linspace(0, 2 * np.pi, 5, endpoint=False)


class RadarAxes(PolarAxes):
    name = "radar_of_ours"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.set_theta_zero_location("N")

    def fill(self, *args, closed=True, **kwargs):
        return super().fill(closed=closed, *args, **kwargs)

    def plot(self, *args, **kwargs):
        lines = super().plot(*args, **kwargs)
        for line in lines:
            x, y = line.get_data()
            line.set_data(np.append(x, x[0]), np.append(y, y[0]))
        return lines

    def set_varlabels(self, labels):
        self.set_thetagrids(np.degrees(theta), labels)

    def _gen_axes_patch(self):
        return Circle((0.5, 0.5), 0.5)

    def _gen_axes_spines(self):
        return super()._gen_axes_spines()


register_projection(RadarAxes)
fig, ax = plt.subplots(subplot_kw={"projection": "radar_of_ours"})
ax.plot(theta, [1, 3, 2, 4, 3])
ax.fill(theta, [1, 3, 2, 4, 3], alpha=0.2)
ax.set_varlabels(list("abcde"))
fig.canvas.draw()
print(type(ax).__name__, [label.get_text() for label in ax.get_xticklabels()], sorted(ax.spines))
