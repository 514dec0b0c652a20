"""Reads whatever lies in the zones: a data dictionary, a semicolon file, JSON, gzip, fixed width, XML-free."""
import csv
import gzip
import hashlib
import json
import os
import sys
import zipfile
from datetime import date, datetime, timedelta
from pathlib import Path
import numpy as np
import pandas as pd

DATA_DIR, OUT = Path(DATA), Path(OUTPUT)
for p in sorted(DATA_DIR.glob("*")):
    print(p.name, p.suffix, p.stat().st_size > 0, hashlib.sha256(p.read_bytes()).hexdigest()[:6] != "")
frames = {p.stem: pd.read_csv(p) for p in DATA_DIR.glob("*.csv")}
print({k: v.shape for k, v in sorted(frames.items())})
pat = pd.read_csv(DATA_DIR / "patients.csv", usecols=["patient_id", "age", "smoker"], na_values=["", "NA"], converters={"smoker": lambda s: {"yes": 1, "no": 0}.get(s)}, index_col="patient_id", nrows=50)
print(pat.smoker.mean().round(2), pat.index[0])
tot = 0
for chunk in pd.read_csv(DATA_DIR / "visits.csv", chunksize=100, parse_dates=["date"]):
    tot += chunk.sbp.sum()
print(round(tot, 1) == round(visits.sbp.sum(), 1), chunk.date.dtype)
with open(DATA_DIR / "labs.csv", newline="") as f:
    r = csv.DictReader(f)
    print(r.fieldnames, sum(float(x["value"] or 0) > 100 for x in r))
with (DATA_DIR / "events.jsonl").open() as f:
    ev = [json.loads(x) for x in f]
print(len(ev), sorted(ev[0]), pd.json_normalize([{"id": 1, "lab": {"na": 140, "k": 4}}], sep=".").columns.tolist())
(OUT / "semi.csv").write_text("id;wert;datum\n1;3,5;01.02.2021\n2;4,25;15.02.2021\n", encoding="utf-8")
de = pd.read_csv(OUT / "semi.csv", sep=";", decimal=",", parse_dates=["datum"], date_format="%d.%m.%Y")
print(de.wert.sum(), de.datum.dt.month.tolist())
tmp = Path("/tmp/work"); tmp.mkdir(exist_ok=True)
with gzip.open(tmp / "v.csv.gz", "wt") as f:
    visits.head(5).to_csv(f, index=False)
print(pd.read_csv(tmp / "v.csv.gz").shape)
with zipfile.ZipFile(tmp / "a.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("x.csv", "a,b\n1,2\n"); z.writestr("y.csv", "a,b\n3,4\n")
with zipfile.ZipFile(tmp / "a.zip") as z:
    print(z.namelist(), pd.concat([pd.read_csv(z.open(n)) for n in z.namelist()]).a.tolist())
(tmp / "f.txt").write_text("P001 034 F\nP002 071 M\n")
print(pd.read_fwf(tmp / "f.txt", colspecs=[(0, 4), (5, 8), (9, 10)], names=["id", "age", "sex"]).to_dict("list"))
np.savez(tmp / "m.npz", a=np.arange(3)); np.savetxt(tmp / "m.csv", np.eye(2), delimiter=",", fmt="%.1f", header="x,y", comments="")
print(np.load(tmp / "m.npz")["a"], np.genfromtxt(tmp / "m.csv", delimiter=",", names=True)["x"], np.loadtxt(tmp / "m.csv", delimiter=",", skiprows=1).shape)
visits.head(3).to_json(OUT / "v.json", orient="split", date_format="iso", indent=1)
print(pd.read_json(OUT / "v.json", orient="split").shape, json.loads((OUT / "v.json").read_text())["columns"][:2])
with open(OUT / "log.txt", "a", encoding="utf-8") as f:
    print("run of", date(2021, 5, 4) + timedelta(weeks=2), file=f); f.write("ok\n")
print((OUT / "log.txt").read_text().splitlines(), os.path.splitext("a.tar.gz"), os.path.getsize(OUT / "log.txt"), (OUT / "none.csv").exists(), sys.byteorder, len(list(OUT.rglob("*"))))
try:
    pd.read_csv(DATA_DIR / "missing.csv")
except FileNotFoundError as e:
    print("not there:", e.filename is not None, e.strerror)
for p in tmp.iterdir():
    p.unlink()
tmp.rmdir()
