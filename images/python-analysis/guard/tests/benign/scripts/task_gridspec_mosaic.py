import matplotlib.pyplot as plt
import matplotlib.gridspec as gridspec
import numpy as np

fig, axd = plt.subplot_mosaic([["upper left", "right"], ["lower left", "right"]], figsize=(6, 4), layout="constrained")
for name, ax in axd.items():
    ax.text(0.5, 0.5, name, ha="center")
axd["right"].plot(np.arange(5), np.arange(5) ** 2, marker="s")
fig.savefig("mosaic.png")

rng = np.random.default_rng(0)
x = rng.normal(size=300)
y = 0.6 * x + rng.normal(scale=0.8, size=300)
fig = plt.figure(figsize=(6, 6))
gs = fig.add_gridspec(2, 2, width_ratios=(4, 1), height_ratios=(1, 4), wspace=0.05, hspace=0.05)
ax = fig.add_subplot(gs[1, 0])
ax_histx = fig.add_subplot(gs[0, 0], sharex=ax)
ax_histy = fig.add_subplot(gs[1, 1], sharey=ax)
ax.scatter(x, y, s=8)
ax_histx.hist(x, bins=20)
ax_histy.hist(y, bins=20, orientation="horizontal")
for a in (ax_histx, ax_histy):
    a.tick_params(labelbottom=False, labelleft=False)
sub = gridspec.GridSpecFromSubplotSpec(1, 2, subplot_spec=gs[0, 1])
fig.add_subplot(sub[0]).axis("off")
fig.savefig("marginals.png")
print(sorted(axd), [a.get_subplotspec().colspan.start for a in (ax, ax_histx, ax_histy)])
subfigs = plt.figure(figsize=(8, 3)).subfigures(1, 2)
subfigs[0].suptitle("left")
subfigs[1].subplots(2, 1)
print(len(subfigs[1].axes), gs.nrows, gs.ncols)
