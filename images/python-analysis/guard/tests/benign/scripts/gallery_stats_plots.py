import matplotlib.pyplot as plt
import numpy as np
import matplotlib.cbook as cbook
from matplotlib.patches import Polygon
from matplotlib import mlab

np.random.seed(19680801)
data = np.random.lognormal(size=(37, 4), mean=1.5, sigma=1.75)
fig, axs = plt.subplots(3, 3, figsize=(9, 9))
stats = cbook.boxplot_stats(data, labels=list("ABCD"), bootstrap=100)
for n in range(len(stats)):
    stats[n]["med"] = np.median(data)
    stats[n]["mean"] *= 2
axs[0, 0].bxp(stats, showfliers=False, showmeans=True, meanline=True)
bp = axs[0, 1].boxplot(data, notch=True, sym="+", vert=True, whis=1.5, patch_artist=True, positions=[1, 3, 5, 7], widths=0.5, medianprops={"lw": 2}, flierprops=dict(marker="D"))
for patch, color in zip(bp["boxes"], ["pink", "lightblue", "lightgreen", "tan"]):
    patch.set_facecolor(color)
print(sorted(bp), bp["boxes"][0].get_path().vertices.shape)


def adjacent_values(vals, q1, q3):
    upper_adjacent_value = q3 + (q3 - q1) * 1.5
    upper_adjacent_value = np.clip(upper_adjacent_value, q3, vals[-1])
    return upper_adjacent_value


parts = axs[0, 2].violinplot([sorted(np.random.normal(0, std, 100)) for std in range(1, 5)], showmeans=False, showextrema=False, quantiles=[[0.1], [0.5], [0.5, 0.75], [0.9]], bw_method="silverman")
for pc in parts["bodies"]:
    pc.set_facecolor("#D43F3A")
    pc.set_edgecolor("black")
    pc.set_alpha(1)
axs[1, 0].errorbar(range(4), [1, 2, 3, 4], yerr=[[0.1] * 4, [0.3] * 4], xerr=0.2, uplims=True, lolims=[0, 1, 0, 1], fmt="--o", ecolor="r", errorevery=(0, 2))
counts, bins, patches = axs[1, 1].hist(data[:, 0], bins=20, density=True, histtype="stepfilled", cumulative=-1, log=True, weights=np.ones(37))
axs[1, 1].stairs(counts, bins, hatch="//")
axs[1, 1].ecdf(data[:, 0])
hb = axs[1, 2].hexbin(data[:, 0], data[:, 1], gridsize=10, bins="log", mincnt=1, xscale="log", yscale="log", marginals=True, reduce_C_function=np.mean, C=data[:, 2])
H = axs[2, 0].hist2d(data[:, 2], data[:, 3], bins=(5, 6), cmin=1, cmap="jet")
wedges, texts, autotexts = axs[2, 1].pie([15, 30, 45, 10], explode=(0, 0.1, 0, 0), labels=list("abcd"), autopct=lambda pct: f"{pct:.1f}%\n", shadow={"ox": -0.04}, startangle=90, wedgeprops=dict(width=0.5), textprops={"size": "smaller"})
c = axs[2, 2].xcorr(data[:, 0], data[:, 1], usevlines=True, maxlags=10, normed=True, lw=2)
print(autotexts[1].get_text(), c[0][:2], H[0].shape, len(hb.get_offsets()) > 0)
f2, (a, b, d, e) = plt.subplots(4)
s = np.sin(np.arange(1000) / 5.0) + 0.1 * np.random.randn(1000)
Pxx, freqs = a.psd(s, NFFT=256, Fs=100, window=mlab.window_none, detrend="linear", pad_to=512, scale_by_freq=True)
b.magnitude_spectrum(s, Fs=100, scale="dB")
spec, fr, t, im = d.specgram(s, NFFT=128, Fs=100, noverlap=64)
cxy, f = e.cohere(s, s[::-1], 256, 1. / 0.01)
print(Pxx.shape, freqs[np.argmax(Pxx)].round(3), spec.shape, cxy.shape, mlab.GaussianKDE(s).factor.round(4))
b.csd(s, s, 256, 100), b.angle_spectrum(s), b.phase_spectrum(s), b.acorr(s)
