import os

import pandas as pd

out_dir = os.path.join(str(OUTPUT), "tables", "by_sex")
os.makedirs(out_dir, exist_ok=True)
for sex, group in patients.groupby("sex"):
    path = os.path.join(out_dir, f"patients_{str(sex).lower()}.csv")
    group.to_csv(path, index=False)
    print(os.path.basename(path), os.path.exists(path), os.path.getsize(path) > 0)
for root, dirs, files in os.walk(OUTPUT):
    dirs.sort()
    print(os.path.relpath(root, OUTPUT), sorted(dirs), sorted(files))
print(sum(len(pd.read_csv(os.path.join(out_dir, name))) for name in os.listdir(out_dir)) == len(patients))
os.rename(os.path.join(out_dir, sorted(os.listdir(out_dir))[0]), os.path.join(OUTPUT, "first.csv"))
print(os.path.splitext("first.csv"), os.path.isfile("first.csv"), os.path.isdir(out_dir))
