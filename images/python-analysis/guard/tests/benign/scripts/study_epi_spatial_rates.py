import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from matplotlib.collections import PatchCollection
from matplotlib.patches import Polygon, RegularPolygon
from matplotlib.colors import BoundaryNorm, ListedColormap
from scipy import stats, sparse
from scipy.special import gammaln, digamma
from scipy.optimize import minimize

rng = np.random.default_rng(64)
rows, cols = 8, 10
g = pd.DataFrame([(r, c) for r in range(rows) for c in range(cols)], columns=["r", "c"])
g["pop"] = rng.integers(500, 8000, len(g))
true = np.exp(.3 * np.sin(g.r / 2) + .2 * np.cos(g.c / 3))
g["E"] = g["pop"] * .004
g["O"] = rng.poisson(g.E * true)
g["smr"] = g.O / g.E

def nll(p):
    a, b = np.exp(p)
    return -np.sum(gammaln(g.O + a) - gammaln(a) + a * np.log(b) - (g.O + a) * np.log(b + g.E))
fit = minimize(nll, [0, 0], method="Nelder-Mead")
a, b = np.exp(fit.x)
g["eb"] = (g.O + a) / (g.E + b)
g["exc"] = stats.gamma.sf(1, g.O + a, scale=1 / (g.E + b))
print(f"prior mean {a / b:.2f}, shrinkage", (g.smr.std() / g.eb.std()).round(2), "rmse", np.sqrt(((g.smr - true) ** 2).mean()).round(3), np.sqrt(((g.eb - true) ** 2).mean()).round(3))
W = sparse.lil_matrix((len(g), len(g)))
for i, (r, c) in enumerate(g[["r", "c"]].itertuples(index=False)):
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= r + dr < rows and 0 <= c + dc < cols:
            W[i, (r + dr) * cols + c + dc] = 1
W = W.tocsr()
W = sparse.diags(1 / np.asarray(W.sum(1)).ravel()) @ W
z = (g.eb - g.eb.mean()) / g.eb.std(ddof=0)
I = float(z @ (W @ z) / len(z))
ref = np.array([(q := rng.permutation(z)) @ (W @ q) / len(z) for _ in range(199)])
print(f"Moran {I:.3f} p {(1 + (ref >= I).sum()) / 200:.3f}")
lisa = z * (W @ z.values)
g["cluster"] = np.select([(z > 0) & (lisa > 1), (z < 0) & (lisa > 1)], ["hot", "cold"], "ns")
print(g.cluster.value_counts().to_dict(), g.nlargest(3, "exc")[["r", "c", "exc"]].round(2).values.tolist())
fig, ax = plt.subplots(figsize=(6, 5))
hexes = [RegularPolygon((c + .5 * (r % 2), r * .87), 6, radius=.57) for r, c in zip(g.r, g.c)]
norm = BoundaryNorm([0, .7, .9, 1.1, 1.3, 3], 5)
pc = PatchCollection(hexes, cmap=ListedColormap(["#2166ac", "#92c5de", "#f7f7f7", "#f4a582", "#b2182b"]), norm=norm, ec="w")
pc.set_array(g.eb.values)
ax.add_collection(pc); ax.autoscale_view(); ax.set_aspect("equal"); ax.axis("off")
fig.colorbar(pc, ticks=norm.boundaries[1:-1], shrink=.6, label="relative risk", extend="neither")
fig.savefig(OUTPUT / "map.png", bbox_inches="tight")
best = None
for i in g.index:
    dist = np.hypot(g.r - g.r[i], g.c - g.c[i])
    for rad in (1, 1.5, 2.3):
        s = dist <= rad
        o, e, O, E = g.O[s].sum(), g.E[s].sum(), g.O.sum(), g.E.sum()
        llr = o * np.log(o / e) + (O - o) * np.log((O - o) / (E - e)) - O * np.log(O / E) if o / e > (O - o) / (E - e) else 0
        if best is None or llr > best[0]: best = (llr, i, rad, int(s.sum()))
print("scan", round(best[0], 2), best[1:])
