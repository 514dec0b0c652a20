"""What does insurance change, and how long do transplant patients live?

The tables of the sample bundle are there by their names: rand_hie (the RAND
Health Insurance Experiment) and heart_transplant (Stanford). DATA and OUTPUT are
the bundle's and the output's directory.
"""

import matplotlib.pyplot as plt
import pandas as pd
import plotly.express as px
import statsmodels.api as sm
import statsmodels.formula.api as smf

# Outpatient visits by health, with a Poisson model of what drives them.
health = rand_hie.assign(
    health=rand_hie[["hlthg", "hlthf", "hlthp"]]
    .rename(columns={"hlthg": "good", "hlthf": "fair", "hlthp": "poor"})
    .assign(excellent=lambda t: 1 - t.sum(axis=1))
    .idxmax(axis=1)
)
visits = health.groupby("health")["mdvis"].agg(["size", "mean", "std"]).round(2)
print("Outpatient visits a year by health:")
print(visits)
visits.to_csv(OUTPUT / "visits_by_health.csv")

model = smf.poisson("mdvis ~ lncoins + physlm + disea + C(health)", data=health).fit(disp=0)
print(f"\nOne unit of log coinsurance changes visits by {model.params['lncoins']:+.3f} (log rate)")
pd.DataFrame({"coefficient": model.params, "p": model.pvalues}).to_csv(OUTPUT / "poisson.csv")

# Survival after a heart transplant, by age.
fig, ax = plt.subplots()
for label, group in heart_transplant.groupby(heart_transplant["age"] >= 50):
    curve = sm.SurvfuncRight(group["survival"], group["censors"])
    ax.step(curve.surv_times, curve.surv_prob, where="post", label="50 and over" if label else "under 50")
ax.set(xlabel="days", ylabel="survival", title="Stanford heart transplants", ylim=(0, 1))
ax.legend()
fig.savefig(OUTPUT / "survival.png", dpi=120)

px.bar(visits.reset_index(), x="health", y="mean", title="Outpatient visits a year").show()

result = {
    "person_years": len(rand_hie),
    "mean_visits": rand_hie["mdvis"].mean(),
    "coinsurance": model.params["lncoins"],
    "median_survival_days": sm.SurvfuncRight(heart_transplant["survival"], heart_transplant["censors"]).quantile(0.5),
}
