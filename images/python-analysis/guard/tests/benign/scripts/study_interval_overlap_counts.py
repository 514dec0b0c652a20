import heapq
from collections import namedtuple

import numpy as np
import pandas as pd

Stay = namedtuple("Stay", "pid ward admit discharge")
rng = np.random.default_rng(66)
base = pd.Timestamp("2024-01-01")
stays = []
for i in range(60):
    admit = base + pd.Timedelta(hours=int(rng.integers(0, 24 * 60)))
    stays.append(Stay(f"P{i:03d}", rng.choice(["ICU", "Surgery", "Medicine"]).item(), admit, admit + pd.Timedelta(hours=int(rng.gamma(2, 40)) + 4)))

df = pd.DataFrame(stays)
df["los"] = (df["discharge"] - df["admit"]) / pd.Timedelta(days=1)
print(df.groupby("ward")["los"].agg(["count", "median", "max"]).round(2))

# peak occupancy by a sweep
occupied, ends, peak = 0, [], (0, None)
for stay in sorted(stays, key=lambda s: s.admit):
    while ends and ends[0] <= stay.admit:
        heapq.heappop(ends)
    heapq.heappush(ends, stay.discharge)
    if len(ends) > peak[0]:
        peak = (len(ends), stay.admit)
print("peak occupancy:", peak[0], "at", peak[1])

hours = pd.date_range(df["admit"].min().floor("D"), df["discharge"].max().ceil("D"), freq="6h")
census = pd.DataFrame({
    ward: [((g["admit"] <= h) & (g["discharge"] > h)).sum() for h in hours] for ward, g in df.groupby("ward")
}, index=hours)
print(census.resample("W").mean().round(2).head(4))
intervals = pd.IntervalIndex.from_arrays(df["admit"], df["discharge"], closed="left")
print("on 15 January at noon:", int(intervals.contains(pd.Timestamp("2024-01-15 12:00")).sum()))
readmit = df.sort_values("admit").groupby("ward").apply(lambda g: (g["admit"].diff().dt.total_seconds() / 3600).median(), include_groups=False)
print(readmit.round(1).to_dict())
