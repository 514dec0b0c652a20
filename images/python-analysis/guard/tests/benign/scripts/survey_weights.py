import numpy as np
import pandas as pd

p = patients.dropna(subset=["bmi"]).copy()
rng = np.random.default_rng(5)
p["weight"] = rng.uniform(0.5, 2, len(p))

def weighted(group):
    w = group["weight"] / group["weight"].sum()
    mean = (w * group["bmi"]).sum()
    return pd.Series({"n": len(group), "mean": mean, "se": np.sqrt((w**2 * (group["bmi"] - mean) ** 2).sum())})

print(p.groupby("arm")[["bmi", "weight"]].apply(weighted).round(3))
print(np.average(p["bmi"], weights=p["weight"]).round(3))
standard = pd.Series({"F": 0.5, "M": 0.5})
rates = p.groupby("sex")["bmi"].mean()
print((rates * standard).sum().round(3))
