import json
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from pathlib import Path

rng = np.random.default_rng(8)
n = 300
df = pd.DataFrame({"dose": rng.choice([0, 1, 2, 4, 8], n), "age": rng.normal(50, 12, n).round(), "sex": rng.choice(["f", "m"], n)})
lin = -2 + 0.45 * df["dose"] + 0.02 * (df["age"] - 50) + 0.3 * (df["sex"] == "m")
df["response"] = (rng.random(n) < 1 / (1 + np.exp(-lin))).astype(int)

model = smf.logit("response ~ dose + age + C(sex)", data=df).fit(disp=False)
ors = np.exp(pd.concat([model.params, model.conf_int()], axis=1))
ors.columns = ["OR", "lower", "upper"]
ors["p"] = model.pvalues
print(ors.round(2).to_string())
print(f"pseudo R2 {model.prsquared:.3f}, AIC {model.aic:.0f}, converged {model.mle_retvals['converged']}")
glm = sm.GLM(df["response"], sm.add_constant(df[["dose", "age"]].astype(float)), family=sm.families.Binomial()).fit()
print(glm.summary().tables[1].as_text().splitlines()[2].split()[:4])
pred = model.predict(pd.DataFrame({"dose": [0, 8], "age": [50, 50], "sex": ["f", "f"]}))
print(pred.round(2).tolist())
tab = pd.crosstab(df["sex"], df["response"])
chi2, p, dof, expected = stats.chi2_contingency(tab)
print(f"chi2={chi2:.2f} dof={dof} p={p:.2f}", expected.round(1).tolist())
auc_pairs = [(a > b) + 0.5 * (a == b) for a in model.predict()[df["response"] == 1] for b in model.predict()[df["response"] == 0]]
print(f"AUC {np.mean(auc_pairs):.3f}")
Path("report.json").write_text(json.dumps({k: round(float(v), 3) for k, v in model.params.items()}, indent=1))
print(Path("report.json").read_text())
