import numpy as np
from scipy import stats
import matplotlib.pyplot as plt

bmi = patients["bmi"].dropna().to_numpy()
B = 2000
rng = np.random.default_rng(42)


def statistic(x):
    return np.median(x)


theta = statistic(bmi)
boot = np.array([statistic(rng.choice(bmi, size=bmi.size, replace=True)) for _ in range(B)])

# percentile
perc = np.percentile(boot, [2.5, 97.5])

# BCa
z0 = stats.norm.ppf((boot < theta).mean())
jack = np.array([statistic(np.delete(bmi, i)) for i in range(bmi.size)])
num = ((jack.mean() - jack) ** 3).sum()
den = 6 * (((jack.mean() - jack) ** 2).sum() ** 1.5)
acc = num / den
z = stats.norm.ppf([0.025, 0.975])
adj = stats.norm.cdf(z0 + (z0 + z) / (1 - acc * (z0 + z)))
bca = np.quantile(boot, adj)

print(f"median {theta:.2f}")
print(f"percentile CI: {perc[0]:.2f} to {perc[1]:.2f}")
print(f"BCa CI:        {bca[0]:.2f} to {bca[1]:.2f}")
res = stats.bootstrap((bmi,), np.mean, n_resamples=999, random_state=np.random.default_rng(1), method="BCa")
print("scipy mean CI:", np.round([res.confidence_interval.low, res.confidence_interval.high], 2))

plt.hist(boot, bins=30, edgecolor="white")
plt.axvline(theta, color="k")
for v in bca:
    plt.axvline(v, ls="--", color="crimson")
plt.title("Bootstrap distribution of the median BMI")
plt.savefig(OUTPUT / "bootstrap.png", bbox_inches="tight")
