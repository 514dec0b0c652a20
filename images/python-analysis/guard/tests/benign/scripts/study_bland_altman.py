import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import stats

rng = np.random.default_rng(31)
true = rng.normal(120, 15, 60)
device_a = true + rng.normal(0, 4, 60)
device_b = true + 2.5 + rng.normal(0, 5, 60)

mean = (device_a + device_b) / 2
diff = device_a - device_b
bias = diff.mean()
sd = diff.std(ddof=1)
loa = bias - 1.96 * sd, bias + 1.96 * sd
se_bias = sd / np.sqrt(len(diff))
t = stats.t.ppf(0.975, len(diff) - 1)

print(f"Bias: {bias:.2f} (95% CI {bias - t * se_bias:.2f} to {bias + t * se_bias:.2f})")
print("Limits of agreement: {:.2f} to {:.2f}".format(*loa))
print(f"Proportional bias: r = {stats.pearsonr(mean, diff)[0]:.3f}")


def lin_ccc(x, y):
    sxy = np.cov(x, y, bias=True)[0, 1]
    return 2 * sxy / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)


print(f"Lin's concordance: {lin_ccc(device_a, device_b):.3f}")

fig, ax = plt.subplots()
ax.scatter(mean, diff, alpha=0.7, edgecolors="none")
for level, style in [(bias, "-"), (loa[0], "--"), (loa[1], "--")]:
    ax.axhline(level, linestyle=style, color="firebrick")
    ax.text(ax.get_xlim()[1], level, f" {level:.1f}", va="center")
ax.set_xlabel("Mean of devices")
ax.set_ylabel("A − B (mmHg)")
fig.savefig(OUTPUT / "bland_altman.png", bbox_inches="tight")
