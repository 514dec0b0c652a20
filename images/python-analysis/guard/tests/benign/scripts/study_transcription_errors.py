"""Compare two data entries of the same forms and list the discrepancies."""
import difflib
import pandas as pd
import numpy as np

first = pd.DataFrame({
    "id": [1, 2, 3, 4, 5],
    "name": ["Miller", "Schmidt", "O'Brien", "Nguyen", "Garcia"],
    "weight": [70.5, 81.0, 64.2, np.nan, 90.1],
    "visit_date": ["2021-03-04", "2021-03-05", "2021-03-08", "2021-03-09", "2021-03-10"],
})
second = first.copy()
second.loc[1, "name"] = "Schmitt"
second.loc[2, "weight"] = 46.2
second.loc[3, "weight"] = 55.0
second.loc[4, "visit_date"] = "2021-10-03"

diff = first.set_index("id").compare(second.set_index("id"), result_names=("entry1", "entry2"))
print(diff.to_string())

records = []
a, b = first.set_index("id"), second.set_index("id")
for col in a.columns:
    neq = (a[col] != b[col]) & ~(a[col].isna() & b[col].isna())
    for i in a.index[neq]:
        x, y = a.at[i, col], b.at[i, col]
        kind = "missing" if pd.isna(x) or pd.isna(y) else "changed"
        if isinstance(x, str):
            ratio = difflib.SequenceMatcher(None, x, y).ratio()
            kind = f"similar ({ratio:.2f})" if ratio > 0.8 else kind
        elif kind == "changed" and sorted(str(x)) == sorted(str(y)):
            kind = "transposed digits"
        records.append((i, col, x, y, kind))
log = pd.DataFrame(records, columns=["id", "field", "entry1", "entry2", "kind"])
print(log.to_string(index=False))
print(f"error rate {len(log)}/{a.size} = {len(log) / a.size:.1%}")
print("closest to 'Schmit':", difflib.get_close_matches("Schmit", second["name"].tolist(), n=1))
log.to_json(OUTPUT / "discrepancies.json", orient="records")
