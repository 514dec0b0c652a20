import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

STATES = ["sun", "cloud", "rain"]
P = pd.DataFrame([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.4, 0.4]], index=STATES, columns=STATES)
assert np.allclose(P.sum(axis=1), 1)


def stationary(P):
    vals, vecs = np.linalg.eig(P.to_numpy().T)
    v = np.real(vecs[:, np.argmin(np.abs(vals - 1))])
    return pd.Series(v / v.sum(), index=P.index)


def simulate(P, days, start="sun", seed=None):
    rng = np.random.default_rng(seed)
    state = start
    for _ in range(days):
        yield state
        state = rng.choice(P.columns, p=P.loc[state])


path = list(simulate(P, 5000, seed=6))
freq = pd.Series(path).value_counts(normalize=True).reindex(STATES)
print(pd.DataFrame({"theory": stationary(P), "observed": freq}).round(2).to_string())
print(np.linalg.matrix_power(P.to_numpy(), 50).round(3)[0])
runs = pd.Series(path).ne(pd.Series(path).shift()).cumsum()
longest = pd.Series(path).groupby(runs).agg(["first", "size"]).groupby("first")["size"].max()
print(longest.reindex(STATES).gt(3).to_dict())
Q = P.loc[["sun", "cloud"], ["sun", "cloud"]].to_numpy()
print("expected days to rain:", (np.linalg.inv(np.eye(2) - Q) @ np.ones(2)).round(2))
counts = pd.crosstab(pd.Series(path[:-1], name="from"), pd.Series(path[1:], name="to"), normalize="index").loc[STATES, STATES]
print(float((counts - P).abs().max().max()) < 0.05)
fig, ax = plt.subplots(figsize=(8, 2))
codes = [STATES.index(s) for s in path[:100]]
ax.step(range(100), codes, where="mid")
ax.set_yticks(range(3), STATES)
fig.tight_layout()
fig.savefig("weather.png")
