import pandas as pd
import statsmodels.formula.api as smf
from statsmodels.iolib.summary2 import summary_col

df = visits.query("visit in (1, 4)").merge(patients, on="patient_id").dropna()
m1 = smf.ols("sbp ~ C(arm)", df).fit()
m2 = smf.ols("sbp ~ C(arm) + age + bmi", df).fit()
m3 = smf.ols("sbp ~ C(arm) * C(visit) + age + bmi", df).fit()
cols = summary_col([m1, m2, m3], stars=True, float_format="%0.2f", model_names=["(1)", "(2)", "(3)"],
                   info_dict={"N": lambda x: f"{int(x.nobs)}", "R2": lambda x: f"{x.rsquared:.3f}"})
print(cols)


def to_latex(frame: pd.DataFrame, caption: str) -> str:
    body = [" & ".join(["", *map(str, frame.columns)]) + r" \\", r"\midrule"]
    for name, row in frame.iterrows():
        body.append(" & ".join([str(name).replace("_", r"\_"), *(f"{v:.2f}" for v in row)]) + r" \\")
    spec = "l" + "r" * frame.shape[1]
    return "\n".join([r"\begin{table}", rf"\caption{{{caption}}}", rf"\begin{{tabular}}{{{spec}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


means = df.groupby("arm")[["sbp", "dbp", "hr"]].mean()
tex = to_latex(means, "Mean vital signs")
print(tex)
with open(OUTPUT / "table.txt", "w") as handle:
    handle.write(tex + "\n\n" + m2.summary().as_latex())
print(m1.summary().as_csv().count(",") > 5, m1.summary().as_html()[:6])
