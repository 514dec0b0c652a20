import matplotlib.pyplot as plt
import statsmodels.api as sm
from statsmodels.duration.survfunc import survdiff

df = patients.merge(events, on="patient_id")
fig, ax = plt.subplots(figsize=(6, 4))
for arm, part in df.groupby("arm"):
    km = sm.SurvfuncRight(part["time_days"], part["event"], title=arm)
    print(arm, "median", km.quantile(0.5), "n", len(part))
    print(km.summary().head(2).round(4).to_string())
    km.plot(ax=ax)
chi2, p = survdiff(df["time_days"], df["event"], df["arm"])
ax.set_title(f"Log-rank p = {p:.3f}")
ax.set_ylim(0, 1.05)
fig.tight_layout()
fig.savefig(OUTPUT / "km.png", dpi=80)
print(f"chi2={chi2:.3f}")
