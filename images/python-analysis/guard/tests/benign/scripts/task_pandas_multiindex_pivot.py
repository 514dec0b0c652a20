import numpy as np
import pandas as pd

rng = np.random.default_rng(99)
idx = pd.MultiIndex.from_product([["2023", "2024"], ["Q1", "Q2"], ["N", "S"]], names=["year", "quarter", "region"])
df = pd.DataFrame({"sales": rng.integers(50, 150, 8), "cost": rng.integers(20, 60, 8)}, index=idx)
print(df.unstack("region"))
print(df.loc["2024"].loc["Q1", "sales"].to_dict(), df.xs("N", level="region")["sales"].tolist())
print(df.groupby(level=["year"]).sum(), df.groupby("region").mean(numeric_only=True), sep="\n")
df["margin"] = (df["sales"] - df["cost"]) / df["sales"]
print(df.stack().head(4).round(3).to_string())
print(df.swaplevel().sort_index().index[0], df.reset_index().columns.tolist())
pivot = df.reset_index().pivot_table(values=["sales"], index="year", columns=["quarter"], aggfunc=["sum", "mean"], margins=True)
print(pivot.round(1))
print(df.groupby("year")["sales"].transform("sum").tolist(), df.groupby("year")["sales"].rank().tolist())
print(df.groupby(["year"]).agg({"sales": ["min", "max"], "margin": lambda s: s.mean().round(3)}))
styled = df.head(2).to_string(float_format="{:.1%}".format)
print(styled)
print(df.groupby("year").filter(lambda g: g["sales"].sum() > 0).shape, df.idxmax()["sales"], pd.IndexSlice[:, "Q1"] is not None)
print(df.loc[pd.IndexSlice[:, "Q1", :], "sales"].sum(), df.cumsum().iloc[-1]["sales"], df.nlargest(1, "sales").index[0])
