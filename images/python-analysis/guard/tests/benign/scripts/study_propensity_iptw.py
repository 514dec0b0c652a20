import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

rng = np.random.default_rng(2024)
n = 1500
age = rng.normal(60, 10, n)
severity = rng.gamma(2.0, 1.0, n)
p_treat = 1 / (1 + np.exp(-(-3.2 + 0.04 * age + 0.4 * severity)))
treated = rng.binomial(1, p_treat)
y = 120 + 0.3 * age + 2.5 * severity - 5 * treated + rng.normal(0, 8, n)
df = pd.DataFrame({"age": age, "severity": severity, "treated": treated, "sbp": y})

naive = smf.ols("sbp ~ treated", df).fit()
ps = smf.logit("treated ~ age + severity", df).fit(disp=False)
df["ps"] = ps.predict(df)
prevalence = df["treated"].mean()
df["w"] = np.where(df["treated"] == 1, prevalence / df["ps"], (1 - prevalence) / (1 - df["ps"]))
lo, hi = df["w"].quantile([0.01, 0.99])
df["w_trunc"] = df["w"].clip(lo, hi)

weighted = smf.wls("sbp ~ treated", df, weights=df["w_trunc"]).fit(cov_type="HC3")
adjusted = smf.ols("sbp ~ treated + age + severity", df).fit()
summary = pd.DataFrame(
    [(m.params["treated"], *m.conf_int().loc["treated"]) for m in (naive, weighted, adjusted)],
    index=["naive", "IPTW", "regression"], columns=["estimate", "low", "high"])
print(summary.round(2))


def balance(frame, weights=None):
    w = np.ones(len(frame)) if weights is None else weights
    out = {}
    for col in ["age", "severity"]:
        means = [np.average(frame.loc[m, col], weights=w[m]) for m in (frame.treated == 1, frame.treated == 0)]
        out[col] = (means[0] - means[1]) / frame[col].std()
    return pd.Series(out)


print(pd.DataFrame({"before": balance(df), "after": balance(df, df["w_trunc"])}).round(3))
print("effective sample size:", int(df.w_trunc.sum() ** 2 / (df.w_trunc**2).sum()))
