import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy.stats import linregress

rng = np.random.default_rng(73)
areas = pd.DataFrame({"area": [f"A{i}" for i in range(50)], "deprivation": rng.permutation(50) + 1, "pop": rng.integers(2000, 9000, 50)})
areas["deaths"] = rng.poisson(areas["pop"] * (0.004 + 0.0001 * areas["deprivation"]))
areas["rate"] = areas["deaths"] / areas["pop"] * 1000
areas["quintile"] = pd.qcut(areas["deprivation"], 5, labels=range(1, 6))

q = areas.groupby("quintile", observed=True).agg(pop=("pop", "sum"), deaths=("deaths", "sum"))
q["rate"] = q["deaths"] / q["pop"] * 1000
share = q["pop"] / q["pop"].sum()
q["ridit"] = share.cumsum() - share / 2
reg = linregress(q["ridit"], q["rate"])
overall = q["deaths"].sum() / q["pop"].sum() * 1000
print(q.round(3))
print(f"SII = {reg.slope:.2f} per 1000, RII = {reg.slope / overall:.2f}")
print(f"rate ratio Q5:Q1 = {q.rate.iloc[-1] / q.rate.iloc[0]:.2f}")

s = areas.sort_values("rate")
x = np.r_[0, s["pop"].cumsum() / s["pop"].sum()]
y = np.r_[0, s["deaths"].cumsum() / s["deaths"].sum()]
gini = 1 - 2 * np.trapezoid(y, x)
print(f"Gini = {gini:.3f}")
ci = areas.sort_values("deprivation")
xc = np.r_[0, ci["pop"].cumsum() / ci["pop"].sum()]
yc = np.r_[0, ci["deaths"].cumsum() / ci["deaths"].sum()]
print(f"concentration index = {1 - 2 * np.trapezoid(yc, xc):.3f}")

plt.plot(x, y, label="Lorenz")
plt.plot(xc, yc, label="concentration")
plt.plot([0, 1], [0, 1], "k:")
plt.gca().set_aspect("equal")
plt.legend()
plt.savefig(OUTPUT / "lorenz.svg")
