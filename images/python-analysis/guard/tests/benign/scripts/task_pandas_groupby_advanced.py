import pandas as pd
import numpy as np

orders = pd.DataFrame({
    "customer": ["a", "b", "a", "c", "b", "a", "c", "d"],
    "date": pd.to_datetime(["2024-01-03", "2024-01-05", "2024-01-20", "2024-02-01", "2024-02-11", "2024-03-01", "2024-03-15", "2024-03-30"]),
    "amount": [20.0, 35.5, 15.0, 80.0, 42.0, 60.0, 12.5, 99.9],
})
orders["order_no"] = orders.groupby("customer").cumcount() + 1
orders["days_since"] = orders.groupby("customer")["date"].diff().dt.days
orders["running"] = orders.groupby("customer")["amount"].cumsum()
orders["share"] = orders["amount"] / orders.groupby("customer")["amount"].transform("sum")
print(orders.round(2).to_string(index=False))

now = pd.Timestamp("2024-04-01")
rfm = orders.groupby("customer").agg(recency=("date", lambda d: (now - d.max()).days), frequency=("date", "count"), monetary=("amount", "sum"))
rfm["segment"] = pd.cut(rfm["monetary"], [0, 80, 95, np.inf], labels=["low", "mid", "high"])
print(rfm)
print(orders.groupby(orders["date"].dt.month_name(), sort=False)["amount"].sum().to_dict())
orders["first_month"] = orders.groupby("customer")["date"].transform("min").dt.to_period("M")
cohort = orders.groupby(["first_month", orders["date"].dt.to_period("M")])["customer"].nunique().unstack(fill_value=0)
print(cohort)
top = orders.sort_values("amount", ascending=False).drop_duplicates("customer")
print(top[["customer", "amount"]].values.tolist())
for name, group in orders.groupby("customer"):
    print(name, group["amount"].describe()[["count", "mean"]].round(2).to_dict())
print(orders.groupby("customer")["amount"].apply(list).to_dict())
print(pd.crosstab(orders["customer"], orders["date"].dt.month, values=orders["amount"], aggfunc="sum").fillna(0).to_string())
