"""Pseudonymise identifiers, coarsen quasi-identifiers and check k-anonymity."""
import hashlib
import hmac
import json

import pandas as pd

KEY = b"not-a-real-key"


def pseudonym(pid: str) -> str:
    return hmac.new(KEY, pid.encode(), hashlib.sha256).hexdigest()[:12]


df = patients.copy()
df["pid"] = df.pop("patient_id").map(pseudonym)
df["age_band"] = pd.cut(df.pop("age"), [0, 45, 55, 65, 75, 120], right=False).astype(str)
df["bmi"] = (df["bmi"] / 5).round() * 5
print(df.head(3).to_string(index=False))
assert df["pid"].is_unique

quasi = ["age_band", "sex", "site"]
sizes = df.groupby(quasi).size()
k = int(sizes.min())
print(f"k = {k}, classes = {len(sizes)}, singletons = {(sizes == 1).sum()}")
small = sizes[sizes < 5].reset_index(name="n")
suppressed = df.merge(small[quasi], on=quasi, how="left", indicator=True)
released = suppressed[suppressed["_merge"] == "left_only"].drop(columns="_merge")
print(f"released {len(released)} of {len(df)} rows, k = {released.groupby(quasi).size().min()}")
diversity = released.groupby(quasi)["smoker"].nunique()
print("l-diversity:", int(diversity.min()))

released.sort_values("pid").to_csv(OUTPUT / "released.csv", index=False)
meta = {"rows": len(released), "columns": list(released.columns), "sha256": hashlib.sha256((OUTPUT / "released.csv").read_bytes()).hexdigest()}
with open(OUTPUT / "released.json", "w") as f:
    json.dump(meta, f, indent=1)
print(meta["rows"], meta["sha256"][:8])
