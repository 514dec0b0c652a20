import numpy as np
import matplotlib.pyplot as plt
class Mandel:
    def __init__(self, h=60, w=60, niter=20): self.h, self.w, self.n = h, w, niter
    def compute(self, x0, x1, y0, y1):
        x = np.linspace(x0, x1, self.w); y = np.linspace(y0, y1, self.h).reshape(-1, 1); c = x + 1j * y; t = np.zeros((self.h, self.w)); z = np.zeros_like(c)
        with np.errstate(all="ignore"):
            for i in range(self.n): m = np.abs(z) < 2; z[m] = z[m] ** 2 + c[m]; t[m] = i
        return t
    def ax_update(self, ax):
        ax.set_autoscale_on(False); self.w, self.h = np.round(ax.patch.get_window_extent().size).astype(int) // 8; vl = ax.viewLim; im = ax.images[-1]; im.set(data=self.compute(*vl.intervalx, *vl.intervaly), extent=(*vl.intervalx, *vl.intervaly))
md = Mandel(); Z = md.compute(-2, .5, -1.25, 1.25); fig, (a, b) = plt.subplots(1, 2); a.imshow(Z, origin="lower", extent=(-2, .5, -1.25, 1.25)); b.imshow(Z, origin="lower", extent=(-2, .5, -1.25, 1.25)); rect = plt.Rectangle([0, 0], 0, 0, facecolor="none", edgecolor="black"); a.add_patch(rect); b.callbacks.connect("xlim_changed", lambda ax: rect.set_bounds(*ax.viewLim.bounds)); b.callbacks.connect("ylim_changed", md.ax_update); b.set(xlim=(-1, 0), ylim=(-.5, .5)); fig.canvas.draw(); print(rect.get_width(), b.images[0].get_extent(), Z.max())
