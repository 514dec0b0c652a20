import pandas as pd

folder = OUTPUT / "tables"
folder.mkdir(exist_ok=True)
for site, part in patients.groupby("site"):
    path = folder / f"site_{site}.csv"
    part.to_csv(path, index=False, float_format="%.2f")
    print(path.name, path.suffix, path.exists(), path.stat().st_size > 0, len(pd.read_csv(path)))
print(sorted(p.name for p in OUTPUT.glob("tables/*.csv")), sorted(p.name for p in DATA.iterdir() if p.name[0] != "."))
report = OUTPUT / "report.md"
report.write_text("# Report\n\n" + patients.head(3).to_string() + "\n", encoding="utf-8")
with report.open("a") as file:
    print("appended", file=file)
    file.writelines(["x\n", "y\n"])
lines = report.read_text().splitlines()
print(len(lines), lines[0], report.with_suffix(".txt").name, report.parent == OUTPUT, report.relative_to(OUTPUT))
patients.head(5).to_html(OUTPUT / "patients.html", index=False)
(OUTPUT / "blob.txt").write_bytes(b"bytes")
(OUTPUT / "blob.txt").rename(OUTPUT / "renamed.txt")
with open("relative.txt", "w") as file:
    file.write("relative to the output directory")
with open(OUTPUT / "relative.txt") as file:
    print(file.read().count("e"), file.name.endswith("relative.txt"))
try:
    open(DATA / "not_there.csv")
except FileNotFoundError as error:
    print("missing:", error.errno)
