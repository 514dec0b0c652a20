import pandas as pd

threshold = 140
sites = ["A", "B"]
v = visits.merge(patients, on="patient_id")
print(len(v.query("sbp > @threshold and site in @sites and sex == 'F'")))
print(len(v.query("age.between(40, 60) and not smoker.isna()", engine="python")))
v = v.eval("pulse_pressure = sbp - dbp").assign(mean_ap=lambda d: d.dbp + d.pulse_pressure / 3, high=lambda d: d["mean_ap"] > 100)
print(v[["pulse_pressure", "mean_ap"]].mean().round(2).to_dict(), int(v["high"].sum()))
print(v.pipe(lambda d: d[d["high"]]).groupby("arm").size().to_dict())
print(v.nlargest(3, "sbp")[["patient_id", "sbp"]].to_dict("records"))
print(v.filter(regex="^s").columns.tolist(), v.select_dtypes("number").columns.tolist())
print(v.loc[:, ["sbp", "dbp"]].apply(lambda col: col.max() - col.min()).to_dict())
print(v.sample(frac=0.01, random_state=1).index.tolist()[:3])
