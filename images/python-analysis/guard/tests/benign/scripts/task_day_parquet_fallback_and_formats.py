import io
import json
import pandas as pd
import numpy as np

df = pd.DataFrame({"id": [1, 2, 3], "name": ["a", "b", None], "x": [0.5, np.nan, 2.25], "when": pd.to_datetime(["2031-01-01", None, "2031-03-05"])})
print(df.to_json(orient="records", date_format="iso"))
print(df.to_markdown(index=False) if hasattr(df, "to_markdown") else df)
print(df.to_html(index=False, na_rep="-").count("<td>"), df.to_latex(index=False).splitlines()[0])
buf = io.StringIO()
df.to_csv(buf, index=False, sep="\t", na_rep="NA", date_format="%d/%m/%Y", float_format="%.1f")
print(buf.getvalue())
back = pd.read_csv(io.StringIO(buf.getvalue()), sep="\t", parse_dates=["when"], dayfirst=True)
print(back.equals(df) or back.dtypes.astype(str).tolist())
try:
    df.to_excel("t.xlsx", index=False, sheet_name="one")
    print("excel", pd.read_excel("t.xlsx").shape)
except ImportError as e:
    print("no excel")
try:
    df.to_parquet("t.parquet")
    print("parquet", pd.read_parquet("t.parquet").shape)
except ImportError:
    print("no parquet engine, using csv")
    df.to_csv("t.csv")
records = [{"id": 1, "tags": ["x", "y"], "pos": {"lat": 1.5}}, {"id": 2, "tags": [], "pos": {"lat": 2.5}}]
flat = pd.json_normalize(records)
print(flat.columns.tolist(), flat.explode("tags").shape, pd.DataFrame.from_dict({"r": [1, 2]}, orient="index", columns=["a", "b"]).to_dict("split"))
fixed = "ab  12\ncd   7\n"
print(pd.read_fwf(io.StringIO(fixed), header=None, widths=[4, 2]).values.tolist())
df.info(buf=(info := io.StringIO()))
print(info.getvalue().splitlines()[0].startswith("<class"), df.style.format(precision=1).hide(axis="index") is not None)
np.savetxt("a.txt", np.eye(2), fmt="%d", header="h")
np.savez("b.npz", a=np.arange(3), b=np.ones(2))
with np.load("b.npz") as z:
    print(sorted(z.files), z["a"].sum(), np.loadtxt("a.txt").tolist(), np.genfromtxt(io.StringIO("1,,3"), delimiter=",", filling_values=0).tolist())
