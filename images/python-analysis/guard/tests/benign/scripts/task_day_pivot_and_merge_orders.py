import pandas as pd
import numpy as np

orders = pd.DataFrame({
    "order_id": range(101, 109),
    "customer": ["c1", "c2", "c1", "c3", "c2", "c4", "c1", "c9"],
    "product": ["tea", "tea", "jam", "oil", "jam", "tea", "oil", "jam"],
    "qty": [2, 1, 5, 3, 2, 8, 1, 4],
    "date": pd.to_datetime(["2031-01-03", "2031-01-09", "2031-02-01", "2031-02-11", "2031-02-20", "2031-03-02", "2031-03-07", "2031-03-30"]),
})
customers = pd.DataFrame({"customer": ["c1", "c2", "c3", "c4", "c5"], "region": ["north", "south", "north", "east", "south"]})
prices = {"tea": 3.5, "jam": 4.25, "oil": 9.0}

merged = orders.merge(customers, on="customer", how="left", indicator=True, validate="m:1")
print(merged["_merge"].value_counts().to_dict())
merged = merged.drop(columns="_merge").assign(
    region=lambda d: d["region"].fillna("unknown"),
    revenue=lambda d: d["qty"] * d["product"].map(prices),
    month=lambda d: d["date"].dt.to_period("M").astype(str),
)
pivot = merged.pivot_table(index="region", columns="month", values="revenue", aggfunc="sum", fill_value=0, margins=True, margins_name="total")
print(pivot.to_string())
top = merged.sort_values("revenue", ascending=False).groupby("region", as_index=False).first()[["region", "order_id", "revenue"]]
print(top.to_string(index=False))
wide = merged.pivot(index="order_id", columns="product", values="qty")
print(wide.notna().sum().to_dict())
long = wide.reset_index().melt(id_vars="order_id", value_name="qty").dropna().astype({"qty": int})
assert long["qty"].sum() == orders["qty"].sum()
print(pd.crosstab(merged["region"], merged["product"], values=merged["qty"], aggfunc="sum").fillna(0).astype(int))
merged["cum"] = merged.groupby("customer")["revenue"].cumsum()
merged["share"] = merged["revenue"] / merged.groupby("month")["revenue"].transform("sum")
print(merged.query("region == 'north' and qty > 1")[["order_id", "cum", "share"]].round(3).to_string(index=False))
merged.to_csv("merged_orders.csv", index=False)
print(pd.read_csv("merged_orders.csv", parse_dates=["date"]).dtypes.astype(str).to_dict())
