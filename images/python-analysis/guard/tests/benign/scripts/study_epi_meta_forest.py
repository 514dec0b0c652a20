"""Random-effects meta-analysis of site-specific odds ratios with a forest plot, funnel and leave-one-out."""
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from matplotlib import gridspec
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects, effectsize_2proportions, effectsize_smd

d = patients.merge(events, on="patient_id")
cells = d.groupby("site").apply(lambda g: pd.Series({
    "a": ((g.arm == "active") & (g.event == 1)).sum(), "n1": (g.arm == "active").sum(),
    "b": ((g.arm == "placebo") & (g.event == 1)).sum(), "n0": (g.arm == "placebo").sum()}), include_groups=False)
more = pd.DataFrame({"a": [12, 30, 8], "n1": [60, 110, 41], "b": [20, 41, 9], "n0": [58, 108, 44]}, index=["Lund", "Oslo", "Turku"])
k = pd.concat([cells, more]).rename_axis("study")
yi, vi = effectsize_2proportions(k.a.values, k.n1.values, k.b.values, k.n0.values, statistic="odds-ratio")
res = combine_effects(yi, vi, method_re="iterated", use_t=False, row_names=k.index.tolist())
print(res.summary_frame().round(3))
print(res.test_homogeneity())
print("I2 %.2f tau2 %.3f" % (res.i2, res.tau2))
dl = combine_effects(yi, vi, method_re="dl", use_t=True)
print(np.round(dl.conf_int(use_t=True)[1], 3), dl.mean_effect_re.round(3))
k["or"], k["lo"], k["hi"] = np.exp(yi), np.exp(yi - 1.96 * np.sqrt(vi)), np.exp(yi + 1.96 * np.sqrt(vi))
k["weight"] = (1 / (vi + res.tau2)) / (1 / (vi + res.tau2)).sum() * 100

fig = plt.figure(figsize=(9, 4.5))
gs = gridspec.GridSpec(1, 2, width_ratios=[1, 1.4], wspace=.02)
tx, ax = fig.add_subplot(gs[0]), fig.add_subplot(gs[1])
y = np.arange(len(k))[::-1] + 1
ax.errorbar(k["or"], y, xerr=[k["or"] - k.lo, k.hi - k["or"]], fmt="none", ecolor="k", lw=1)
ax.scatter(k["or"], y, s=k.weight * 8, marker="s", color="tab:blue", zorder=3)
m = np.exp(res.summary_frame().loc["random effect", ["eff", "ci_low", "ci_upp"]])
ax.fill([m.ci_low, m.eff, m.ci_upp, m.eff], [0, .25, 0, -.25], color="tab:red")
ax.set_xscale("log"); ax.axvline(1, c="grey", lw=.8); ax.set_yticks([]); ax.set_xlabel("odds ratio (log scale)")
ax.set_xticks([.1, .2, .5, 1, 2, 5]); ax.get_xaxis().set_major_formatter(plt.ScalarFormatter())
ax.spines[["top", "right", "left"]].set_visible(False)
tx.axis("off"); tx.set_ylim(ax.get_ylim())
for yy, (s, r) in zip(y, k.iterrows()):
    tx.text(0, yy, s); tx.text(.3, yy, f"{r.a:.0f}/{r.n1:.0f}"); tx.text(.5, yy, f"{r.b:.0f}/{r.n0:.0f}"); tx.text(.7, yy, f"{r['or']:.2f} ({r.lo:.2f}-{r.hi:.2f})")
fig.savefig(OUTPUT / "forest.pdf", bbox_inches="tight")
res.plot_forest(use_exp=True)
loo = {s: np.exp(combine_effects(np.delete(yi, i), np.delete(vi, i), method_re="dl").mean_effect_re) for i, s in enumerate(k.index)}
print(pd.Series(loo, name="without").round(3))
egger = stats.linregress(1 / np.sqrt(vi), yi / np.sqrt(vi))
print("Egger intercept", round(egger.intercept, 2), "p", round(2 * stats.t.sf(abs(egger.intercept / egger.intercept_stderr), len(k) - 2), 3))
