import io
import pandas as pd

df = pd.DataFrame({"id": [1, 2], "when": pd.to_datetime(["2024-01-01", "2024-06-01"]), "nested": [{"a": 1}, {"a": 2}]})
print(df.to_json(orient="records", date_format="iso"))
print(pd.json_normalize(df.to_dict("records"))["nested.a"].tolist())
print(pd.read_json(io.StringIO('[{"x":1,"y":"a"},{"x":2,"y":"b"}]')).to_dict("list"))
print(pd.read_csv(io.StringIO("a|b\n1|x\n2|y\n# comment\n"), sep="|", comment="#", dtype={"a": "int32"}).dtypes.astype(str).to_dict())
print(pd.read_fwf(io.StringIO("id  name \n1   ann  \n2   bob  \n"))["name"].tolist())
print(pd.read_csv(io.StringIO("d,v\n2024-01-01,1\n2024-01-02,NA\n"), index_col="d", parse_dates=True, na_values=["NA"])["v"].isna().sum())
try:
    df.drop(columns="nested").to_excel("out.xlsx", index=False)
    print("wrote Excel")
except (ImportError, ModuleNotFoundError, ValueError):
    df.drop(columns="nested").to_csv("out.csv", index=False)
    print("no Excel writer, wrote CSV")
for chunk in pd.read_csv(io.StringIO("n\n" + "\n".join(map(str, range(10)))), chunksize=4):
    print(len(chunk), int(chunk["n"].sum()), end="; ")
print()
print(df.drop(columns="nested").to_csv(sep="\t", index=False, date_format="%d.%m.%Y"))
print(df.drop(columns="nested").to_dict(orient="split")["columns"], df.to_html(columns=["id"]).count("<td>"))
with pd.option_context("display.max_rows", 5, "display.precision", 2):
    print(pd.Series(range(20)) / 3)
