import csv
import io
import math
from collections import OrderedDict
from statistics import mean, median, pstdev

CSV_TEXT = """sample,site,ph,temperature,turbidity
S1,river,7.1,12.5,3.2
S2,river,7.4,12.9,2.8
S3,lake,8.0,15.1,
S4,lake,7.9,14.8,1.1
S5,well,6.8,,0.4
S6,well,6.9,9.9,0.5
"""


def to_float(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def describe(values):
    clean = [v for v in values if not math.isnan(v)]
    return OrderedDict(n=len(clean), missing=len(values) - len(clean), mean=mean(clean), median=median(clean), sd=pstdev(clean))


reader = csv.DictReader(io.StringIO(CSV_TEXT))
rows = list(reader)
print("columns:", reader.fieldnames, "rows:", len(rows))
numeric = [c for c in reader.fieldnames if any(not math.isnan(to_float(r[c])) for r in rows)]
for column in numeric:
    stats = describe([to_float(r[column]) for r in rows])
    print(f"{column:<12}", ", ".join(f"{k}={v:.2f}" if isinstance(v, float) else f"{k}={v}" for k, v in stats.items()))

groups = {}
for row in rows:
    groups.setdefault(row["site"], []).append(to_float(row["ph"]))
buffer = io.StringIO(newline="")
writer = csv.writer(buffer, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
writer.writerow(["site", "mean_ph"])
for site in sorted(groups):
    writer.writerow([site, round(mean(groups[site]), 2)])
print(buffer.getvalue())
with open("summary.csv", "w", newline="", encoding="utf-8") as fh:
    fh.write(buffer.getvalue())
with open("summary.csv", encoding="utf-8") as fh:
    assert len(fh.readlines()) == 4
