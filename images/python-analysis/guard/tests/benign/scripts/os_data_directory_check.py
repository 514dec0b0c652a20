import os
import sys

import pandas as pd

DATA_DIR = str(DATA)
needed = ["labs.csv", "visits.csv"]
missing = [name for name in needed if not os.path.isfile(os.path.join(DATA_DIR, name))]
if missing:
    sys.exit(f"missing: {missing}")
sizes = {name: os.stat(os.path.join(DATA_DIR, name)).st_size for name in needed}
print(all(size > 100 for size in sizes.values()))
csv_files = [f for f in os.listdir(DATA_DIR) if f.endswith(".csv")]
frames = {os.path.splitext(f)[0]: pd.read_csv(os.path.join(DATA_DIR, f)) for f in csv_files}
for name, frame in sorted(frames.items()):
    print(f"{name:10s} {frame.shape[0]:5d} rows {frame.shape[1]:2d} columns", file=sys.stdout)
with os.scandir(DATA_DIR) as entries:
    print(sorted(e.name for e in entries if e.is_file() and e.stat().st_size > 0))
