import numpy as np
from scipy import stats

rng = np.random.default_rng(20240501)
sample = visits["sbp"].dropna().to_numpy()
means = np.array([rng.choice(sample, size=sample.size, replace=True).mean() for _ in range(500)])
print("percentile", np.percentile(means, [2.5, 97.5]).round(2))
res = stats.bootstrap((sample,), np.median, n_resamples=300, random_state=np.random.default_rng(1), method="percentile")
print(res.confidence_interval)

def permutation_test(x, y, n=500):
    observed = x.mean() - y.mean()
    pooled = np.concatenate([x, y])
    count = 0
    for _ in range(n):
        rng.shuffle(pooled)
        count += abs(pooled[: x.size].mean() - pooled[x.size :].mean()) >= abs(observed)
    return (count + 1) / (n + 1)

print(round(permutation_test(sample[:80], sample[80:160]), 4))
