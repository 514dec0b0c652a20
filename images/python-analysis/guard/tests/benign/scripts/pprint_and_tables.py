from pprint import pformat, pprint

data = {"sites": {site: sorted(g["patient_id"])[:2] for site, g in patients.groupby("site")}, "n": len(patients)}
pprint(data, width=50)
print(pformat([list(range(12))], width=30, compact=True))
rows = [("Variable", "Mean", "SD")] + [(c, f"{visits[c].mean():.1f}", f"{visits[c].std():.1f}") for c in ("sbp", "dbp", "hr")]
widths = [max(map(len, column)) for column in zip(*rows)]
for n, row in enumerate(rows):
    print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))))
    if n == 0:
        print("  ".join("-" * w for w in widths))
print(*("a", "b"), sep="\t", end="!\n")
print(str(visits.head(2)), repr(visits["sbp"].head(2)), sep="\n")
