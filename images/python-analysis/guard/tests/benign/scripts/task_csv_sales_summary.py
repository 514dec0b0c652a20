import csv
import io
import os
from collections import defaultdict

data = """date,region,product,units,price
2024-01-05,North,Widget,10,2.50
2024-01-07,South,Gadget,3,10.00
2024-02-11,North,Gadget,7,9.50
2024-02-20,East,Widget,25,2.40
2024-03-02,South,Widget,14,2.45
"""

path = os.path.join(str(OUTPUT), "sales.csv")
with open(path, "w", newline="") as f:
    f.write(data)

totals = defaultdict(float)
by_month = defaultdict(float)
with open(path, newline="") as f:
    for row in csv.DictReader(f):
        revenue = int(row["units"]) * float(row["price"])
        totals[row["region"]] += revenue
        by_month[row["date"][:7]] += revenue

print("Revenue by region:")
for region, total in sorted(totals.items(), key=lambda kv: -kv[1]):
    print(f"  {region:<6} ${total:>8,.2f}")
print("Revenue by month:", {m: round(v, 2) for m, v in by_month.items()})

out = io.StringIO()
writer = csv.writer(out, lineterminator="\n")
writer.writerow(["region", "total"])
writer.writerows((r, f"{t:.2f}") for r, t in sorted(totals.items()))
print(out.getvalue(), end="")
if os.path.exists(path):
    os.remove(path)
print("exists after removal:", os.path.exists(path))
