"""Waiting times shown in every way: boxes from own figures, violins by hand, errors with limits, steps, spans and spectra."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cbook, mlab
from matplotlib.collections import EventCollection, PatchCollection, PolyCollection
from matplotlib.patches import Ellipse, Rectangle
from matplotlib.transforms import Affine2D

rng = np.random.default_rng(555)
clinics = {"north": rng.gamma(3, 9, 80), "south": rng.gamma(5, 5, 65), "mobile": rng.gamma(2, 20, 40)}
fig, axes = plt.subplots(3, 3, figsize=(10, 9))
made = cbook.boxplot_stats(list(clinics.values()), whis=(5, 95), labels=list(clinics))
for box in made:
    box["fliers"] = box["fliers"][box["fliers"] > box["q3"]]
    box["cilo"], box["cihi"] = box["med"] - 2, box["med"] + 2
drawn = axes[0, 0].bxp(made, shownotches=True, patch_artist=True, boxprops={"fc": "azure"}, orientation="horizontal") if "orientation" in axes[0, 0].bxp.__doc__ else axes[0, 0].bxp(made, shownotches=True, patch_artist=True, vert=False)
print(sorted(drawn), [box["label"] for box in made], len(drawn["boxes"]))
bodies = axes[0, 1].violinplot(list(clinics.values()), showmedians=True, points=40, bw_method=lambda kde: kde.num_dp ** -0.2)
for body, colour in zip(bodies["bodies"], ("navy", "teal", "olive")):
    body.set(facecolor=colour, alpha=0.4)
    half = body.get_paths()[0].vertices
    half[:, 0] = np.maximum(half[:, 0], half[:, 0].mean())
grid, kde = np.linspace(0, 120, 50), mlab.GaussianKDE(clinics["north"], "silverman")
axes[0, 2].fill_between(grid, kde(grid), where=kde(grid) > 0.005, interpolate=True, step=None, alpha=0.3)
axes[0, 2].ecdf(clinics["south"], complementary=True)
axes[0, 2].stairs([0.01, 0.03, 0.02], [0, 30, 60, 120], fill=False, baseline=None, hatch="/")
means = np.array([each.mean() for each in clinics.values()])
errors = axes[1, 0].errorbar(means, range(3), xerr=np.array([[3, 2, 6], [5, 4, 9]]), xuplims=[0, 0, 1], capsize=4, ecolor="0.4", errorevery=(0, 2), fmt="D", barsabove=True)
print(len(errors.lines[2]), errors.has_xerr, errors.has_yerr)
counts, edges, patches = axes[1, 1].hist(list(clinics.values()), bins="auto", range=(0, 120), density=True, histtype="barstacked", cumulative=-1, log=True, rwidth=0.9, label=list(clinics))
print(len(patches), counts.shape[0], edges[0], edges[-1], axes[1, 1].get_yscale())
_, xs, ys, mesh = axes[1, 2].hist2d(clinics["north"][:40], clinics["mobile"], bins=[6, np.arange(0, 160, 40)], cmin=1)
hexes = axes[2, 0].hexbin(clinics["north"][:65], clinics["south"], gridsize=(8, 5), mincnt=1, marginals=False, reduce_C_function=np.sum, C=np.ones(65))
print(xs.shape, ys.tolist(), int(hexes.get_array().sum()), type(mesh).__name__)
arrivals = [np.sort(rng.uniform(0, 24, k)) for k in (5, 9, 7)]
rows = axes[2, 1].eventplot(arrivals, lineoffsets=[1, 3, 5], linelengths=0.8, colors=["C0", "C1", "C2"])
axes[2, 1].broken_barh([(8, 3), (14, 2)], (5.5, 1), facecolors=("gold", "tomato"))
axes[2, 1].add_collection(EventCollection([2, 4, 6], lineoffset=0, linelength=0.5))
covariance = np.cov(clinics["north"][:65], clinics["south"])
values, vectors = np.linalg.eigh(covariance)
ellipse = Ellipse((0, 0), *2 * np.sqrt(values), angle=np.degrees(np.arctan2(*vectors[::-1, 0])), fill=False)
ellipse.set_transform(Affine2D().translate(means[0], means[1]) + axes[2, 0].transData)
axes[2, 0].add_patch(ellipse)
axes[1, 0].add_collection(PatchCollection([Rectangle((20, k - 0.2), 10, 0.4) for k in range(3)], alpha=0.2, match_original=False))
axes[1, 0].add_collection(PolyCollection([[(0, 0), (10, 0), (5, 1)]], facecolors="0.8", closed=True))
signal = np.sin(np.arange(512) * 0.4) + rng.normal(0, 0.1, 512)
power, frequencies = axes[2, 2].psd(signal, NFFT=128, Fs=10, window=mlab.window_hanning, noverlap=32, detrend="linear")
spectrum, lines, moments, image = plt.figure().add_subplot().specgram(signal, NFFT=64, Fs=10, noverlap=16, scale="dB", mode="psd")
print(round(float(frequencies[power.argmax()]), 2), spectrum.shape[0] == len(lines), [int(row.get_lineoffset()) for row in rows], mlab.detrend_mean(np.array([1.0, 3.0])).tolist())
axes[2, 2].acorr(signal[:50], maxlags=6, usevlines=False, normed=True)
fig.canvas.draw()
print(cbook.flatten.__name__, list(cbook.flatten([[1, [2]], 3])), cbook.simple_linear_interpolation(np.array([0.0, 1.0]), 2).tolist(), cbook.contiguous_regions([True, True, False, True]))
