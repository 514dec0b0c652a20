import numpy as np
import pandas as pd
import logging
import sys

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(message)s", force=True)
log = logging.getLogger("cohort")

def report(df, label):
    log.info("%s: %d rows, %d patients", label, len(df), df["patient_id"].nunique())
    return df

def add_map(df, sbp="sbp", dbp="dbp"):
    return df.assign(map=lambda d: d[dbp] + (d[sbp] - d[dbp]) / 3)

def winsorise(df, cols, q=(.01, .99)):
    return df.assign(**{c: df[c].clip(*df[c].quantile(list(q))) for c in cols})

limit = 150
res = (visits
       .pipe(report, "raw")
       .dropna(subset=["sbp"]).pipe(report, "with pressure")
       .merge(patients, on="patient_id", how="inner", suffixes=("", "_p"))
       .pipe(add_map).pipe(winsorise, ["sbp", "weight"])
       .eval("pulse = sbp - dbp\nheavy = weight > 90")
       .query("visit in [1, 4] and sbp < @limit and not heavy")
       .pipe(report, "after query")
       .assign(late=lambda d: np.where(d.visit.eq(4), "late", "early"), decade=lambda d: d.age // 10 * 10)
       .loc[:, lambda d: ~d.columns.str.endswith("_p")]
       .rename(columns=str.upper).rename(columns={"PATIENT_ID": "ID"})
       .sort_values(["ID", "VISIT"], ignore_index=True))
print(res.columns.tolist(), res.shape)
print(res.groupby(["ARM", "LATE"], as_index=False)[["SBP", "MAP", "PULSE"]].mean().round(1))
print(patients.query("age > 60 & sex == 'F' | bmi.isnull()", engine="python").shape, patients.query("`bmi` > bmi.mean()").shape, patients.query("site == ['A', 'C']").shape, patients.query("index < 5 and arm != 'active'").shape)
col = "smoker"
print(patients.query(f"{col} == 'yes'")[col].count(), pd.eval("patients.age.mean() + 1").round(2), patients.eval("age / bmi").mean().round(3), patients.eval("age > @limit / 3").sum())
x = pd.DataFrame({"a b": [1, 2, 3], "c": [4., 5, 6]})
print(x.eval("`a b` * c + sqrt(c)").round(3).tolist(), x.query("`a b` >= 2").index.tolist(), pd.eval("x.c ** 2 > 20").tolist())
x.eval("d = c - c.mean()", inplace=True)
print(x.where(x > 2, other=0).mask(lambda d: d == 5, -1).values.tolist(), x.set_axis(list("pqr"), axis=1).add_suffix("_x").columns.tolist(), x.transform({"c": [np.sqrt, "cumsum"]}).round(2).columns.tolist(), x.agg(["sum", "mean"]).round(1).loc["sum"].tolist())
print(res.pipe((lambda k, data: data[k].nunique(), "data"), "ID"), np.select([res.SBP < 120, res.SBP < 140], ["optimal", "normal"], "high")[:3], res.nlargest(2, "PULSE").ID.size, res.sample(n=2, weights="SBP", random_state=1).shape, res.squeeze().shape, res.compare(res.assign(SBP=res.SBP + (res.index == 0)))[("SBP", "other")].size)
log.warning("done")
