"""Listings as a trial statistician prints them: PROC FREQ, PROC MEANS, shift tables."""
import pandas as pd
import numpy as np
from tabulate import tabulate
from scipy import stats
from string import Template
from decimal import Decimal, ROUND_HALF_UP
import itertools as it
import locale

def proc_means(df, var, by=None, stats_=("count", "mean", "std", "min", "median", "max")):
    g = df.groupby(by)[var] if by else df[[var]].assign(_="all").groupby("_")[var]
    return g.agg(list(stats_))

def proc_freq(df, row, col=None, chisq=True):
    if col is None:
        f = df[row].value_counts(dropna=False).rename("Frequency").to_frame()
        f["Percent"] = f.Frequency / f.Frequency.sum() * 100
        f["Cum. Freq"], f["Cum. Pct"] = f.Frequency.cumsum(), f.Percent.cumsum()
        return f.round(2)
    ct = pd.crosstab(df[row], df[col], margins=True, margins_name="Total")
    if chisq:
        c, p, k, _ = stats.chi2_contingency(ct.iloc[:-1, :-1])
        print(f"Chi-Square {c:.4f}  DF {k}  Prob {p:.4f}")
    return ct

print(tabulate(proc_means(patients, "age", "arm").round(1), headers="keys", tablefmt="simple"))
print(tabulate(proc_freq(patients, "site").reset_index().values.tolist(), headers=["site", "n", "%", "cn", "c%"], floatfmt=".1f", tablefmt="grid"))
print(proc_freq(patients, "site", "smoker").to_string())
ref = {"glucose": (3.9, 5.8), "sodium": (135, 145), "hemoglobin": (12, 17)}
l = labs.assign(date=pd.to_datetime(labs.date)).dropna(subset=["value"])
lo, hi = (l.test.map({k: v[i] for k, v in ref.items()}) for i in (0, 1))
l["flag"] = np.select([l.value < lo, l.value > hi], ["L", "H"], default="N")
half = l.groupby("test").date.transform("median")
l["period"] = np.where(l.date <= half, "first", "second")
print(l.groupby(["test", "flag"]).size().unstack(fill_value=0).reindex(columns=list("LNH"), fill_value=0))
v = visits.dropna(subset=["sbp"]).assign(grade=lambda d: pd.cut(d.sbp, [0, 130, 150, 999], labels=["normal", "raised", "high"]))
w = v.pivot(index="patient_id", columns="visit", values="grade")
shift = pd.crosstab(w[1], w[4], rownames=["Baseline"], colnames=["Last"], dropna=False, margins=True)
print(shift)
row = Template("$name: $n ($pct%)")
for a, g in patients.groupby("arm"):
    print(row.substitute(name=a, n=len(g), pct=Decimal(len(g) / len(patients) * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)))
for (a, s), g in it.islice(patients.groupby(["arm", "site"]), 3):
    print(f"{a:<8}|{s:^5}|{len(g):>4d}|{g.age.mean():8.2f}|{g.bmi.std():+.2e}|{len(g) / 120:6.1%}")
print("{:>10,.2f}{:<6}{:^9}".format(12345.678, "kg", "x"), "%-8s%5d%8.3f" % ("age", 58, 3.14159), "{0[0]}-{0[1]} {d[k]!r}".format([1, 2], d={"k": "v"}), f"{3.0:g} {1e6:_} {255:#x} {'é':>3}")
page = pd.concat([l.head(12).assign(page=i // 5) for i in range(1)]).reset_index(drop=True)
for i, chunk in page.groupby(np.arange(len(page)) // 5):
    print(f"page {i + 1}\n" + chunk[["patient_id", "test", "value", "flag"]].to_string(index=False, formatters={"value": "{:7.2f}".format}, justify="center"))
