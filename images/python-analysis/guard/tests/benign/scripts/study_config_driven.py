"""An analysis driven by a YAML configuration."""
import yaml
import pandas as pd
import statsmodels.formula.api as smf

CONFIG = """
title: Blood pressure at the last visit
dataset:
  visit: 4
  exclude:
    age_below: 30
models:
  - name: unadjusted
    formula: sbp ~ C(arm)
  - name: adjusted
    formula: sbp ~ C(arm) + age + C(sex)
  - name: full
    formula: sbp ~ C(arm) + age + C(sex) + bmi + C(site)
output:
  digits: 2
  file: models.csv
"""
config = yaml.safe_load(CONFIG)
print(config["title"], "-", len(config["models"]), "models")

df = visits[visits["visit"] == config["dataset"]["visit"]].merge(patients, on="patient_id")
df = df[~(df["age"] < config["dataset"]["exclude"]["age_below"])]

term = "C(arm)[T.placebo]"
rows = []
for spec in config["models"]:
    fit = smf.ols(spec["formula"], df).fit()
    low, high = fit.conf_int().loc[term]
    rows.append({"model": spec["name"], "n": int(fit.nobs), "estimate": fit.params[term], "low": low, "high": high, "r2": fit.rsquared})
table = pd.DataFrame(rows).round(config["output"]["digits"])
print(table.to_string(index=False))
table.to_csv(OUTPUT / config["output"]["file"], index=False)
print(yaml.safe_dump({"models": [{"name": r["model"], "n": r["n"]} for r in rows]}, sort_keys=False))
