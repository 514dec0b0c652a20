import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

df = patients.merge(events[["patient_id", "time_days", "event"]], on="patient_id", how="inner")
df["died_1y"] = ((df["event"] == 1) & (df["time_days"] <= 365)).astype(int)
df["treat"] = (df["arm"] == "active").astype(int)
df["age10"] = (df["age"] - df["age"].mean()) / 10
complete = df.dropna(subset=["age", "bmi", "smoker"])
print(f"Complete cases: {len(complete)} of {len(df)}")

crude = smf.logit("died_1y ~ treat", data=complete).fit(disp=0)
adjusted = smf.logit("died_1y ~ treat + age10 + C(sex) + bmi + C(smoker)", data=complete).fit(disp=0)


def or_table(fit):
    ci = fit.conf_int()
    out = pd.DataFrame({
        "OR": np.exp(fit.params),
        "2.5%": np.exp(ci[0]),
        "97.5%": np.exp(ci[1]),
        "p": fit.pvalues,
    })
    return out.drop(index="Intercept")


for label, fit in (("Crude", crude), ("Adjusted", adjusted)):
    print(f"\n{label} (n={int(fit.nobs)}, AIC={fit.aic:.1f}, pseudo-R2={fit.prsquared:.3f})")
    print(or_table(fit).round(3))

lr = 2 * (adjusted.llf - crude.llf)
print("LR statistic:", round(lr, 3), "df:", int(adjusted.df_model - crude.df_model))
print(adjusted.summary().tables[0].as_text().splitlines()[1].strip())
or_table(adjusted).to_csv(OUTPUT / "odds_ratios.csv", float_format="%.4f")
