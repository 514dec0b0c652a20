"""The monthly report: styled tables as HTML, LaTeX, Markdown and a workbook."""
import datetime as dt
from pathlib import Path
import numpy as np
import pandas as pd

out = Path(OUTPUT) / "report"
out.mkdir(exist_ok=True, parents=True)
t = (labs.dropna(subset=["value"]).merge(patients[["patient_id", "arm", "site"]])
     .pivot_table(index=["test", "unit"], columns=["arm", "site"], values="value", aggfunc="mean"))
t.columns.names = ["arm", "site"]

def high(s, q=.9):
    return ["font-weight: bold; color: darkred" if v >= s.quantile(q) else "" for v in s]

def shade(v):
    return f"background-color: rgba(255, 99, 71, {min(max((v - 5) / 5, 0), 1):.2f})"

sty = (t.style.format("{:.2f}", na_rep="–").apply(high, axis=1).map(shade, subset=pd.IndexSlice[["glucose"], :])
       .set_caption("Mean values by arm and site").set_table_styles([{"selector": "caption", "props": "caption-side: bottom; font-size: 90%"}, {"selector": "th", "props": [("text-align", "left")]}])
       .background_gradient(cmap="Blues", axis=1, subset=(slice(None), ["active"])).highlight_max(axis=1, props="text-decoration: underline").set_properties(**{"padding": "4px"}).set_uuid("r1"))
html = sty.to_html()
(out / "labs.html").write_text(f"<html><body><h1>Report {dt.date(2021, 9, 1):%B %Y}</h1>{html}</body></html>", encoding="utf-8")
print(len(html) > 1000, html.count("<tr"), "underline" in html)
tex = t.style.format(precision=1).to_latex(hrules=True, multicol_align="c", caption="Labs", label="tab:labs", position="ht")
(out / "labs.tex.txt").write_text(tex)
print(tex.splitlines()[:4])
flat = t.round(2).reset_index()
flat.columns = ["_".join(filter(None, map(str, c))) for c in flat.columns]
print(flat.to_markdown(index=False, floatfmt=".1f"))
bars = flat.set_index("test").select_dtypes("number").style.bar(color="#d65f5f", vmin=0)
(out / "bars.html").write_text(bars.to_html(table_attributes='class="t"', doctype_html=True))
with pd.ExcelWriter("/tmp/labs.xlsx", engine="openpyxl") as xl:
    flat.to_excel(xl, sheet_name="means", index=False, startrow=1, float_format="%.2f")
    labs.groupby("test").value.describe().to_excel(xl, sheet_name="summary")
    ws = xl.sheets["means"]
    ws["A1"] = "Mean values"
    ws.column_dimensions["A"].width = 18
    for c in ws[2]:
        c.font = c.font.copy(bold=True)
back = pd.read_excel("/tmp/labs.xlsx", sheet_name=None, header=None)
print({k: v.shape for k, v in back.items()})
print(sorted(p.name for p in out.iterdir()), sum(p.stat().st_size for p in out.glob("*.html")) > 0)
idx = pd.IndexSlice
s2 = visits.head(3).style.format({"date": lambda s: str(s)[:10], "sbp": "{:.0f}"}).hide(axis="index").relabel_index(["id", "visit", "date", "SBP", "DBP", "HR", "kg"], axis=1)
print(s2.to_string(delimiter=" | "))
