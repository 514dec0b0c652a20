import csv
import html
import os
from string import Template

rows = [
    {"Product": "Pens & pencils", "Q1": "120", "Q2": "150"},
    {"Product": "Paper <A4>", "Q1": "300", "Q2": "280"},
    {"Product": "Staplers", "Q1": "40", "Q2": "65"},
]
source = os.path.join(OUTPUT, "quarters.csv")
with open(source, "w", newline="", encoding="utf-8") as f:
    writer = csv.DictWriter(f, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)

PAGE = Template("""<!DOCTYPE html>
<html><head><title>$title</title><style>td { text-align: right; }</style></head>
<body><h1>$title</h1><table>$rows</table><p>Total: $total</p></body></html>
""")


def tr(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"


with open(source, encoding="utf-8") as f:
    reader = csv.DictReader(f)
    body = [tr(reader.fieldnames + ["Change"], "th")]
    total = 0
    for r in reader:
        q1, q2 = int(r["Q1"]), int(r["Q2"])
        total += q1 + q2
        body.append(tr([*r.values(), f"{(q2 - q1) / q1:+.0%}"]))
page = PAGE.substitute(title="Quarterly sales", rows="\n".join(body), total=f"{total:,}")
with open(os.path.join(OUTPUT, "report.html"), "w", encoding="utf-8") as f:
    f.write(page)
print(page)
print(f"{len(page)} characters written to {os.path.basename(f.name)}")
