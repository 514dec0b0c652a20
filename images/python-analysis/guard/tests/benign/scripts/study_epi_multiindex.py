import numpy as np
import pandas as pd

w = visits.set_index(["patient_id", "visit"])[["sbp", "dbp", "hr"]].sort_index()
print(w.loc["P003"], w.loc[("P003", 2), "sbp"], w.xs(4, level="visit").shape, w.loc[pd.IndexSlice["P001":"P002", [1, 4]], "sbp"].tolist())
wide = w.unstack("visit")
wide.columns = wide.columns.set_names(["measure", "visit"])
print(wide.columns[:3].tolist(), wide["sbp"].mean().round(1).to_dict(), wide.xs(1, axis=1, level="visit").columns.tolist())
wide[("delta", "4-1")] = wide[("sbp", 4)] - wide[("sbp", 1)]
print(wide["delta"].describe().round(1).T)
long = wide.drop(columns="delta", level=0).stack("visit", future_stack=True)
print(long.shape, long.index.names, long.reset_index().columns.tolist())
flat = wide.copy()
flat.columns = [f"{a}_{b}" for a, b in flat.columns]
back = pd.wide_to_long(flat.reset_index(), ["sbp", "dbp", "hr"], i="patient_id", j="visit", sep="_").sort_index()
print(np.allclose(back.sbp.dropna(), w.sbp.dropna()))
m = flat.reset_index().melt(id_vars="patient_id", value_vars=[c for c in flat if c.startswith("sbp")], var_name="when", value_name="sbp").assign(visit=lambda d: d["when"].str.extract(r"_(\d)$", expand=False).astype(int))
print(m.groupby("visit").sbp.mean().round(1).tolist())
a = patients.set_index("patient_id")[["arm", "site"]]
x = w.join(a, on="patient_id").set_index(["arm", "site"], append=True).reorder_levels(["arm", "site", "patient_id", "visit"]).sort_index()
print(x.groupby(level=["arm", "visit"]).mean().round(1), x.index.nlevels, x.index.get_level_values("site").unique().tolist(), x.index.is_unique, x.swaplevel("arm", "site").index.names[:2])
print(x.query("arm == 'active' and visit > 2").groupby("site").sbp.agg(["mean", "count"]).round(1))
agg = x.groupby(["site", "arm"]).agg({"sbp": ["mean", "std"], "hr": "median"})
agg.columns = agg.columns.map("_".join)
print(agg.round(1).rename_axis(index=str.upper), agg.index.to_flat_index()[0])
full = pd.MultiIndex.from_product([sorted(a.site.unique()), ["active", "placebo"], ["F", "M"]], names=["site", "arm", "sex"])
n = patients.groupby(["site", "arm", "sex"]).size().reindex(full, fill_value=0)
tot = pd.concat([n.unstack("sex"), n.groupby(level="site").sum().to_frame("all").assign(arm="Σ").set_index("arm", append=True)]).sort_index()
print(tot)
print(pd.concat({"bp": w[["sbp"]].head(2), "hr": w[["hr"]].head(2)}, axis=1), w.droplevel("visit").index[:2].tolist(), pd.MultiIndex.from_frame(a.reset_index().head(2)).names, w.index.levels[1].tolist(), w.index.codes[1][:4])
print(x.sbp.unstack("visit").corr().round(2).iloc[0].tolist(), x.loc[(slice(None), "A"), :].shape, x.sort_index(level="visit", ascending=False).index[0][3])
