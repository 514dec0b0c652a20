"""Adverse events by arm from a JSON export, with risk differences, as HTML and Markdown."""
import json
from io import StringIO

import numpy as np
import pandas as pd

raw = json.loads("""
[
 {"id": 1, "arm": "A", "aes": [{"term": "Nausea", "grade": 2}, {"term": "Headache", "grade": 1}]},
 {"id": 2, "arm": "A", "aes": []},
 {"id": 3, "arm": "B", "aes": [{"term": "Nausea", "grade": 1}]},
 {"id": 4, "arm": "B", "aes": [{"term": "Fatigue", "grade": 3}, {"term": "Nausea", "grade": 3}]},
 {"id": 5, "arm": "A", "aes": [{"term": "Fatigue", "grade": 1}]},
 {"id": 6, "arm": "B", "aes": [{"term": "Headache", "grade": 2}]}
]
""")
ae = pd.json_normalize(raw, record_path="aes", meta=["id", "arm"])
subjects = pd.DataFrame(raw)[["id", "arm"]]
denominators = subjects["arm"].value_counts().sort_index()
print(ae.to_string(index=False))

worst = ae.groupby(["arm", "id", "term"], as_index=False)["grade"].max()
tab = worst.pivot_table(index="term", columns="arm", values="id", aggfunc="nunique", fill_value=0)
cells = tab.copy().astype(object)
for arm in tab.columns:
    cells[arm] = [f"{k} ({100 * k / denominators[arm]:.1f}%)" for k in tab[arm]]
rd = tab["B"] / denominators["B"] - tab["A"] / denominators["A"]
se = np.sqrt(sum((tab[a] / denominators[a]) * (1 - tab[a] / denominators[a]) / denominators[a] for a in "AB"))
cells["RD (95% CI)"] = [f"{d:+.2f} ({d - 1.96 * s:+.2f}, {d + 1.96 * s:+.2f})" for d, s in zip(rd, se)]
print(cells.to_string())

md = ["| term | " + " | ".join(cells.columns) + " |", "|---" * (len(cells.columns) + 1) + "|"]
md += [f"| {term} | " + " | ".join(row) + " |" for term, row in zip(cells.index, cells.to_numpy())]
(OUTPUT / "ae.txt").write_text("\n".join(md))
buf = StringIO()
cells.to_html(buf, escape=True)
html = buf.getvalue()
(OUTPUT / "ae.html").write_text(f"<html><body><h1>Adverse events</h1>{html}</body></html>", encoding="utf-8")
print(html.count("<tr"), "rows in the HTML table")
