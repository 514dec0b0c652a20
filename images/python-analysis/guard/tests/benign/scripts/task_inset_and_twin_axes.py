import numpy as np
import matplotlib.pyplot as plt
from mpl_toolkits.axes_grid1.inset_locator import inset_axes, mark_inset

t = np.linspace(0, 10, 500)
signal = np.exp(-0.3 * t) * np.cos(2 * np.pi * t)
energy = np.cumsum(signal**2) * (t[1] - t[0])

fig, ax = plt.subplots(figsize=(8, 4))
ax.plot(t, signal, color="tab:blue")
ax.set_xlabel("time (s)")
ax.set_ylabel("signal", color="tab:blue")
ax.tick_params(axis="y", labelcolor="tab:blue")

twin = ax.twinx()
twin.plot(t, energy, color="tab:red")
twin.set_ylabel("energy", color="tab:red")

inset = inset_axes(ax, width="30%", height="30%", loc="upper center")
inset.plot(t, signal)
inset.set_xlim(2, 3)
inset.set_ylim(-0.6, 0.6)
inset.set_xticks([])
mark_inset(ax, inset, loc1=2, loc2=4, fc="none", ec="0.5")

secondary = ax.secondary_xaxis("top", functions=(lambda s: s * 1000, lambda ms: ms / 1000))
secondary.set_xlabel("time (ms)")
inset2 = ax.inset_axes([0.65, 0.08, 0.3, 0.25])
inset2.hist(signal, bins=20)
fig.savefig("inset.png")
print("energy at the end: %.4f" % energy[-1])
print("axes:", len(fig.axes), "child axes:", len(ax.child_axes))
