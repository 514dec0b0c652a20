import numpy as np, matplotlib.pyplot as plt
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib import patches, ticker, cm
from mpl_toolkits.mplot3d import Axes3D
fig, ax = plt.subplots(figsize=(3, 3)); ln, = ax.plot([], [], "o-"); ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
def update(i):
    t = np.linspace(0, i / 10 * 2 * np.pi, 20); ln.set_data(np.cos(t), np.sin(t)); ax.set_title(f"frame {i}"); return ln,
anim = FuncAnimation(fig, update, frames=6, interval=50, blit=True)
anim.save("orbit.gif", writer=PillowWriter(fps=10)); plt.close()
import os; print(os.path.getsize("orbit.gif") > 500)
fig = plt.figure(figsize=(8, 4)); a1 = fig.add_subplot(121, projection="3d"); X, Y = np.meshgrid(*[np.linspace(-2, 2, 25)] * 2); surf = a1.plot_surface(X, Y, np.exp(-X**2 - Y**2), cmap=cm.magma); fig.colorbar(surf, ax=a1, shrink=0.5); a1.view_init(30, 45)
a2 = fig.add_subplot(122, polar=True); a2.plot(np.linspace(0, 6.28, 50), np.abs(np.sin(np.linspace(0, 12, 50)))); a2.set_theta_zero_location("N")
fig.savefig("two.png"); plt.close(fig)
fig, ax = plt.subplot_mosaic([["a", "b"], ["c", "c"]], constrained_layout=True)
ax["a"].add_patch(patches.Wedge((0.5, 0.5), 0.4, 30, 300, color="teal")); ax["b"].pie([3, 2, 1], labels=list("xyz"), autopct="%1.0f%%", explode=[0, 0.1, 0]); ax["c"].errorbar(range(5), range(5), yerr=0.4, fmt="s", capsize=3); ax["c"].yaxis.set_major_formatter(ticker.PercentFormatter(5)); ax["c"].twinx().semilogy(range(5), [10**i for i in range(5)], "r:")
ax["c"].tick_params(axis="x", rotation=45); [s.set_visible(False) for s in ax["a"].spines.values()]; ax["a"].text(0.5, 0.5, r"$\frac{\pi}{2}$", transform=ax["a"].transAxes)
plt.savefig("mosaic.svg"); print(sorted(ax), len(fig.axes), ax["c"].get_xlim()[0] < 0, plt.rcParams["figure.dpi"])
with plt.style.context("ggplot"), plt.rc_context({"font.size": 7}): f2, _ = plt.subplots(); print(f2.get_size_inches().tolist())
plt.show()
