import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

data = visits.merge(patients[["patient_id", "arm", "age", "sex"]], on="patient_id")
data = data.dropna(subset=["sbp", "age"]).sort_values(["patient_id", "visit"])
data["high_bp"] = (data["sbp"] >= 140).astype(int)

results = {}
for name, cov in [
    ("independence", sm.cov_struct.Independence()),
    ("exchangeable", sm.cov_struct.Exchangeable()),
]:
    model = smf.gee(
        "high_bp ~ C(arm) * visit + age + C(sex)",
        groups="patient_id",
        data=data,
        cov_struct=cov,
        family=sm.families.Binomial(),
    )
    fit = model.fit()
    results[name] = fit
    print(f"--- {name} ---")
    print(pd.DataFrame({"coef": fit.params, "se": fit.bse, "z": fit.tvalues, "p": fit.pvalues}).round(4))

print("working correlation:", round(float(results["exchangeable"].cov_struct.dep_params), 4))
print("QIC:", [round(float(v), 1) for v in results["exchangeable"].qic(scale=1)])
predicted = results["exchangeable"].predict(data)
print(predicted.groupby([data["arm"], data["visit"]]).mean().unstack().round(3))
