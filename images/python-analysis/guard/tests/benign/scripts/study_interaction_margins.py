import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
import matplotlib.pyplot as plt

df = visits[visits["visit"] == 4].merge(patients, on="patient_id").dropna()
model = smf.ols("sbp ~ C(arm) * age + C(sex)", data=df).fit()
print(model.summary().as_text().split("\n")[0].strip())
print(model.params.round(3))

grid = pd.DataFrame([(a, arm, s) for arm in ("active", "placebo") for a in range(40, 81, 10) for s in ("F", "M")],
                    columns=["age", "arm", "sex"])
pred = model.get_prediction(grid).summary_frame(alpha=0.05)
grid[["mean", "lo", "hi"]] = pred[["mean", "mean_ci_lower", "mean_ci_upper"]].to_numpy()
margins = grid.groupby(["arm", "age"])[["mean", "lo", "hi"]].mean()
print(margins.round(1))

hypotheses = "C(arm)[T.placebo]:age = 0"
print(model.t_test(hypotheses))
print("F test p: %.3f" % float(model.f_test(["C(arm)[T.placebo] = 0", "C(arm)[T.placebo]:age = 0"]).pvalue))

fig, ax = plt.subplots()
for arm, part in margins.reset_index().groupby("arm"):
    ax.plot(part["age"], part["mean"], marker="o", label=arm)
    ax.fill_between(part["age"], part["lo"], part["hi"], alpha=0.15)
ax.set(xlabel="Age (years)", ylabel="Predicted SBP (mmHg)")
ax.legend(title="Arm")
fig.savefig(OUTPUT / "margins.png")
