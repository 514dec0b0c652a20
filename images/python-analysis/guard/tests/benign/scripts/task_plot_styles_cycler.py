from cycler import cycler
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

mpl.rcParams["lines.linewidth"] = 2
mpl.rc("font", size=9)
colors = plt.cm.viridis(np.linspace(0, 1, 4))
cycle = cycler(color=colors) + cycler(linestyle=["-", "--", ":", "-."])
x = np.linspace(0, 2, 50)
with plt.rc_context({"axes.prop_cycle": cycle, "axes.facecolor": "whitesmoke"}):
    fig, ax = plt.subplots()
    for p in range(1, 5):
        ax.plot(x, x**p, label=rf"$x^{p}$")
    ax.legend(title="power", frameon=True)
ax.spines[["top", "right"]].set_visible(False)
ax.set_yscale("symlog")
ax.minorticks_on()
ax.grid(True, which="minor", alpha=0.2)
fig.savefig("styles.png", facecolor="white", transparent=False)
print([line.get_linestyle() for line in ax.get_lines()], len(cycle))
print(mpl.colors.to_hex("tab:blue"), mpl.colors.to_rgb("#ff0000"), mpl.colors.to_rgba("k", 0.5), mpl.colors.is_color_like("nope"))
cmap = mpl.colormaps["plasma"].resampled(5)
print([mpl.colors.to_hex(cmap(i)) for i in range(cmap.N)])
norm = mpl.colors.Normalize(0, 10)
sm = plt.cm.ScalarMappable(norm=norm, cmap=cmap)
fig.colorbar(sm, ax=ax, orientation="horizontal")
print(norm(2.5), mpl.get_backend().lower(), plt.get_cmap("tab10").N)
plt.close("all")
