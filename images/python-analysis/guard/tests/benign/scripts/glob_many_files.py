import glob
import os

import pandas as pd

for month in range(1, 4):
    visits.sample(5, random_state=month).to_csv(f"visits_2024_{month:02d}.csv", index=False)
files = sorted(glob.glob("visits_2024_*.csv"))
print(files)
combined = pd.concat((pd.read_csv(f).assign(source=os.path.basename(f)) for f in files), ignore_index=True)
print(combined["source"].value_counts().sort_index().to_dict())
print(len(glob.glob(os.path.join(DATA, "*.csv"))), glob.glob("*.parquet"))
os.makedirs("archive/2024", exist_ok=True)
for f in files:
    os.replace(f, os.path.join("archive", "2024", f))
print(sorted(glob.glob("**/*.csv", recursive=True)), [f for f in glob.iglob("*.csv")])
print(sorted(glob.glob("archive/*/visits_2024_0[12].csv")))
