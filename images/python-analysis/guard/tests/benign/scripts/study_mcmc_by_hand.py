"""Random-walk Metropolis for a logistic regression; R-hat from four chains."""
import numpy as np
import pandas as pd

rng = np.random.default_rng(12)
df = patients.merge(events, on="patient_id").dropna(subset=["age"])
X = np.column_stack([np.ones(len(df)), df["arm"].eq("active"), (df["age"] - 58) / 10]).astype(float)
y = df["event"].to_numpy()


def log_posterior(b):
    eta = X @ b
    return float(y @ eta - np.logaddexp(0, eta).sum() - 0.5 * (b**2 / 2.5**2).sum())


def chain(start, n=1500, scale=0.25):
    cur, lp = np.array(start, float), log_posterior(np.array(start, float))
    out = np.empty((n, len(start)))
    accepted = 0
    for i in range(n):
        prop = cur + rng.normal(0, scale, cur.size)
        lp_new = log_posterior(prop)
        if np.log(rng.random()) < lp_new - lp:
            cur, lp = prop, lp_new
            accepted += 1
        out[i] = cur
    return out[n // 2 :], accepted / n


chains, rates = zip(*(chain(s) for s in ([0, 0, 0], [1, 1, 1], [-1, -1, -1], [0.5, -0.5, 0])))
samples = np.stack(chains)
m, n, k = samples.shape
w = samples.var(axis=1, ddof=1).mean(axis=0)
b = n * samples.mean(axis=1).var(axis=0, ddof=1)
rhat = np.sqrt(((n - 1) / n * w + b / n) / w)
flat = samples.reshape(-1, k)
summary = pd.DataFrame(
    {"mean": flat.mean(0), "sd": flat.std(0), "q2.5": np.quantile(flat, 0.025, 0), "q97.5": np.quantile(flat, 0.975, 0), "rhat": rhat},
    index=["intercept", "active", "age/10"],
)
print(summary.round(2))
print("acceptance:", [f"{r:.2f}" for r in rates])
print("P(OR < 1) = %.2f" % (flat[:, 1] < 0).mean())
