import io
import pandas as pd

text = "id;value\n1;2,5\n2;3,5\n"
df = pd.read_csv(io.StringIO(text), sep=";", decimal=",", index_col="id")
print(df["value"].sum(), pd.read_json(io.StringIO(df.to_json())).shape, pd.read_fwf(io.StringIO("a  b\n1  2\n")).columns.tolist())
events2 = pd.read_json(DATA / "events.jsonl", lines=True)
print(events2.shape, events2.columns.tolist())
for chunk in pd.read_csv(DATA / "visits.csv", chunksize=200):
    print(len(chunk), end=" ")
print()
patients.to_csv(OUTPUT / "p.csv.gz", index=False, compression="gzip")
print(pd.read_csv(OUTPUT / "p.csv.gz").equals(pd.read_csv(DATA / "patients.csv")))
(OUTPUT / "p.csv.gz").unlink()
visits.head(3).to_json(OUTPUT / "v.jsonl", orient="records", lines=True)
print((OUTPUT / "v.jsonl").read_text().count("\n"), visits.head(2).to_string(index=False), visits.head(1).to_latex is not None)
print(patients.head(2).to_dict("list").keys(), pd.json_normalize([{"a": {"b": 1}, "c": 2}]).columns.tolist())
with pd.option_context("display.max_columns", 3, "display.width", 60, "display.precision", 1):
    print(visits.head(2))
pd.set_option("display.float_format", "{:.2f}".format)
print(visits[["sbp"]].head(2))
pd.reset_option("display.float_format")
pd.options.display.max_rows = 5
print(visits["sbp"])
