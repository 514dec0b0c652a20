"""Table 1 with standardised mean differences."""
import numpy as np
import pandas as pd

CONTINUOUS = ["age", "bmi"]
CATEGORICAL = ["sex", "site", "smoker"]


def smd_continuous(a, b):
    pooled = np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 2)
    return (a.mean() - b.mean()) / pooled


def smd_binary(p, q):
    return (p - q) / np.sqrt((p * (1 - p) + q * (1 - q)) / 2)


df = pd.read_csv(DATA / "patients.csv")
active = df[df["arm"] == "active"]
placebo = df[df["arm"] == "placebo"]

rows = []
for col in CONTINUOUS:
    rows.append({
        "variable": col,
        "level": "",
        "active": f"{active[col].mean():.1f} ({active[col].std():.1f})",
        "placebo": f"{placebo[col].mean():.1f} ({placebo[col].std():.1f})",
        "smd": smd_continuous(active[col], placebo[col]),
        "missing": int(df[col].isna().sum()),
    })
for col in CATEGORICAL:
    for level in sorted(df[col].dropna().unique()):
        p, q = (active[col] == level).mean(), (placebo[col] == level).mean()
        rows.append({
            "variable": col, "level": level,
            "active": f"{(active[col] == level).sum()} ({p:.1%})",
            "placebo": f"{(placebo[col] == level).sum()} ({q:.1%})",
            "smd": smd_binary(p, q),
            "missing": int(df[col].isna().sum()),
        })

table1 = pd.DataFrame(rows)
table1["imbalanced"] = np.where(table1["smd"].abs() > 0.1, "*", "")
print(f"N active = {len(active)}, N placebo = {len(placebo)}")
print(table1.round({"smd": 3}).to_string(index=False))
table1.to_csv(OUTPUT / "table1_smd.csv", index=False)
