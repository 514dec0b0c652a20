import csv
import io
from collections import defaultdict

totals = defaultdict(list)
with open(DATA / "labs.csv", newline="", encoding="utf-8") as handle:
    reader = csv.DictReader(handle)
    print(reader.fieldnames)
    for row in reader:
        if row["value"]:
            totals[row["test"]].append(float(row["value"]))
with open(OUTPUT / "labs_summary.csv", "w", newline="") as handle:
    writer = csv.writer(handle, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["test", "n", "mean"])
    for test, values in sorted(totals.items()):
        writer.writerow([test, len(values), round(sum(values) / len(values), 3)])
print((OUTPUT / "labs_summary.csv").read_text())
buffer = io.StringIO()
w = csv.DictWriter(buffer, fieldnames=["a", "b"], delimiter=";", lineterminator="\n")
w.writeheader()
w.writerows([{"a": 1, "b": "x;y"}, {"a": 2, "b": 'say "hi"'}])
print(buffer.getvalue())
print(list(csv.reader(io.StringIO("p,q\n1,'2'"), quotechar="'")), csv.Sniffer().sniff("a;b\n1;2\n").delimiter)
