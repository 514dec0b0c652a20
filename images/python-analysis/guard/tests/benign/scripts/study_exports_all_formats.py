import os
import pandas as pd
import matplotlib.pyplot as plt

out_dir = os.path.join(str(OUTPUT), "exports")
os.makedirs(out_dir, exist_ok=True)

summary = visits.merge(patients, on="patient_id").groupby(["site", "arm"])["sbp"].agg(["count", "mean", "std"]).round(2).reset_index()
summary.to_csv(os.path.join(out_dir, "summary.csv"), index=False)
summary.to_csv(os.path.join(out_dir, "summary_semicolon.csv"), sep=";", decimal=",", index=False)
summary.to_json(os.path.join(out_dir, "summary.json"), orient="records", indent=2)
summary.to_html(os.path.join(out_dir, "summary.html"), index=False)
with open(os.path.join(out_dir, "summary.txt"), "w") as f:
    f.write(summary.to_string(index=False))

ax = summary.pivot(index="site", columns="arm", values="mean").plot(kind="bar", rot=0, figsize=(5, 3))
ax.set_ylim(120, 150)
for ext in ("png", "svg", "pdf"):
    ax.figure.savefig(os.path.join(out_dir, f"summary.{ext}"), bbox_inches="tight")
plt.close("all")

for name in sorted(os.listdir(out_dir)):
    path = os.path.join(out_dir, name)
    print(f"{name:<24}{os.path.splitext(name)[1]:<7}{'ok' if os.path.getsize(path) > 0 else 'empty'}")
again = pd.read_csv(os.path.join(out_dir, "summary_semicolon.csv"), sep=";", decimal=",")
print(again.equals(summary), os.path.isfile(path), os.path.isdir(out_dir))
print(pd.read_json(os.path.join(out_dir, "summary.json")).shape)
print(summary.to_string(index=False))
