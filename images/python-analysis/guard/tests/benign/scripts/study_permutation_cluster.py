import numpy as np
import pandas as pd

rng = np.random.default_rng(1234)
clusters = pd.DataFrame({
    "village": [f"V{i:02d}" for i in range(16)],
    "arm": np.tile(["control", "intervention"], 8),
    "n": rng.integers(40, 80, 16),
})
p = np.where(clusters["arm"].eq("intervention"), 0.22, 0.30) + rng.normal(0, 0.04, 16)
clusters["cases"] = rng.binomial(clusters["n"], p.clip(0.01, 0.99))
clusters["prev"] = clusters["cases"] / clusters["n"]
print(clusters.to_string(index=False, formatters={"prev": "{:.1%}".format}))


def effect(labels: np.ndarray) -> float:
    mask = labels == "intervention"
    return clusters.loc[mask, "prev"].mean() - clusters.loc[~mask, "prev"].mean()


observed = effect(clusters["arm"].to_numpy())
labels = clusters["arm"].to_numpy().copy()
perm = np.empty(2000)
for i in range(perm.size):
    rng.shuffle(labels)
    perm[i] = effect(labels)
p_value = (np.sum(np.abs(perm) >= abs(observed)) + 1) / (perm.size + 1)
print(f"difference {observed:+.3f}, permutation p = {p_value:.4f}")

total = clusters.groupby("arm")[["cases", "n"]].sum()
total["prev"] = total.cases / total.n
print(total.round(3))
k, m = len(clusters), clusters["n"].mean()
s2b = clusters.groupby("arm")["prev"].var().mean()
pbar = clusters.cases.sum() / clusters.n.sum()
print("design effect approx %.2f" % (s2b / (pbar * (1 - pbar) / m)))
