import matplotlib.pyplot as plt
from matplotlib.layout_engine import ConstrainedLayoutEngine, TightLayoutEngine, PlaceHolderLayoutEngine, LayoutEngine
import numpy as np

class Fixed(LayoutEngine):
    _adjust_compatible = True
    _colorbar_gridspec = True

    def __init__(self, left=0.2, **kwargs):
        super().__init__(**kwargs)
        self._params = {"left": left}

    def set(self, *, left=None):
        if left is not None:
            self._params["left"] = left

    def execute(self, fig):
        fig.subplots_adjust(left=self._params["left"])

fig, ax = plt.subplots(layout=Fixed(0.3))
fig.canvas.draw()
print(round(ax.get_position().x0, 3), fig.get_layout_engine().adjust_compatible, fig.get_layout_engine().get())
fig2, axs = plt.subplots(2, 2, layout="constrained")
fig2.get_layout_engine().set(w_pad=4 / 72, h_pad=4 / 72, hspace=0, wspace=0)
fig2.colorbar(axs[0, 0].imshow(np.eye(3)), ax=axs[:, 1], shrink=0.7)
axs[0, 1].legend([], title="outside"); fig2.legend(loc="outside upper right", handles=axs[1, 1].plot([1, 2], label="x"))
leg = axs[1, 0].legend(handles=axs[1, 0].plot([1, 2], label="y"), loc="center left", bbox_to_anchor=(0.8, 0.5)); leg.set_in_layout(False)
fig2.canvas.draw()
print(type(fig2.get_layout_engine()).__name__, sorted(fig2.get_layout_engine().get()))
fig2 = plt.figure(); fig2.set_layout_engine("tight", pad=0.5)
fig2.canvas.draw()
print(fig2.get_tight_layout(), fig2.get_tightbbox().width > 0)
