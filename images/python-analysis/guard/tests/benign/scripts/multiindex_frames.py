import pandas as pd

s = visits.set_index(["patient_id", "visit"])["sbp"].sort_index()
first = s.index.get_level_values(0)[0]
print(s.loc[first].round(1).to_dict(), s.xs(1, level="visit").shape, s.unstack().shape)
idx = pd.IndexSlice
frame = visits.set_index(["patient_id", "visit"]).sort_index()
print(frame.loc[idx[:, 1:2], ["sbp", "dbp"]].mean().round(2).to_dict())
agg = visits.groupby("visit").agg({"sbp": ["mean", "max"], "hr": "min"})
agg.columns = ["_".join(col).strip("_") for col in agg.columns.to_flat_index()]
print(agg.round(1).to_dict("index")[1])
print(frame.swaplevel().sort_index().index.names, frame.groupby(level=1).size().to_dict())
product = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["x", "y"])
print(pd.Series(range(4), index=product).reindex([("b", 2), ("c", 9)]).tolist())
print(frame.reset_index(level="visit").head(1).columns.tolist(), frame.index.is_unique)
