import os
import pandas as pd
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

patients = pd.read_csv(os.path.join(DATA, "patients.csv"))
visits = pd.read_csv(os.path.join(DATA, "visits.csv"), parse_dates=["date"])
labs = pd.read_csv(os.path.join(DATA, "labs.csv"), parse_dates=["date"])

reports = []
for name, frame in {"patients": patients, "visits": visits, "labs": labs}.items():
    report = pd.DataFrame({
        "table": name,
        "column": frame.columns,
        "dtype": [str(t) for t in frame.dtypes],
        "n_missing": frame.isna().sum().values,
        "pct_missing": (frame.isna().mean() * 100).round(2).values,
        "n_unique": frame.nunique().values,
    })
    reports.append(report)
summary = pd.concat(reports, ignore_index=True)
print(summary.to_string(index=False))

pattern = patients[["age", "bmi", "smoker"]].isna().value_counts().rename("n").reset_index()
print("\nMissing data patterns:")
print(pattern.to_string(index=False))

fig, ax = plt.subplots(figsize=(6, 4))
ax.imshow(patients.isna().values, aspect="auto", cmap="gray_r", interpolation="none")
ax.set_xticks(range(patients.shape[1]))
ax.set_xticklabels(patients.columns, rotation=45, ha="right")
ax.set_ylabel("Patient")
ax.set_title("Missingness map")
plt.tight_layout()
plt.savefig(os.path.join(OUTPUT, "missingness.png"), dpi=100)
plt.close(fig)
print("Saved:", os.path.basename(os.path.join(OUTPUT, "missingness.png")))
