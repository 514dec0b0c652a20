"""An HTML report with embedded figures (base64), a table and a JSON summary."""
import base64
import datetime as dt
import html
import io
import json

import matplotlib.pyplot as plt
import pandas as pd

REPORT_DATE = dt.date(2021, 9, 30)


def figure_to_base64(fig) -> str:
    buf = io.BytesIO()
    fig.savefig(buf, format="png", dpi=72)
    plt.close(fig)
    return base64.b64encode(buf.getvalue()).decode("ascii")


def section(title: str, body: str) -> str:
    return f"<section><h2>{html.escape(title)}</h2>\n{body}\n</section>"


v = visits.copy()
v["date"] = pd.to_datetime(v["date"])
per_week = v.groupby(pd.Grouper(key="date", freq="W-MON")).size()

fig, ax = plt.subplots(figsize=(6, 2.5))
per_week.plot.bar(ax=ax, width=0.9)
ax.set_xticklabels([d.strftime("%d %b") for d in per_week.index], fontsize=6)
ax.set_ylabel("visits")
img = figure_to_base64(fig)

recruitment = patients.groupby(["site", "arm"]).size().unstack()
recruitment.loc["Total"] = recruitment.sum()
parts = [
    section("Visits by week", f'<img alt="visits" src="data:image/png;base64,{img}">'),
    section("Recruitment & arms", recruitment.to_html(border=0)),
]
page = "<!doctype html>\n<meta charset='utf-8'>\n<h1>Report of {}</h1>\n{}".format(REPORT_DATE.isoformat(), "\n".join(parts))
with open(OUTPUT / "report.html", "w", encoding="utf-8") as fh:
    fh.write(page)
summary = {"date": REPORT_DATE.isoformat(), "weeks": len(per_week), "busiest": per_week.idxmax().date().isoformat(), "total": int(recruitment.loc["Total"].sum())}
(OUTPUT / "summary.json").write_text(json.dumps(summary, indent=2))
print(json.dumps(summary))
print("&amp;" in page, page.count("<section>"), len(img) > 1000)
