"""Writes testdata/accepted/report.html, a whole report. Run it with

    runner run --policy study-analysis --output DIR report.py
"""

import base64, io
import matplotlib.pyplot as plt
import numpy as np, pandas as pd
import statsmodels.api as sm

rng = np.random.default_rng(1)
x = rng.normal(size=40)
df = pd.DataFrame({"x": x, "y": 2 * x + rng.normal(size=40), "g": list("abcd") * 10})
fig, ax = plt.subplots(figsize=(3, 2))
ax.scatter(df["x"], df["y"])
buffer = io.BytesIO()
fig.savefig(buffer, format="png")
plt.close(fig)
picture = base64.b64encode(buffer.getvalue()).decode()
model = sm.OLS(df["y"], sm.add_constant(df["x"])).fit()
html = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Report: a & b</title>
<style>
  body {{ font-family: sans-serif; max-width: 60em; margin: auto }}
  table.dataframe td, th {{ padding: .2em .6em; text-align: right }}
  tr:nth-child(even) {{ background: rgb(240, 240, 240) }}
</style>
</head>
<body>
<!-- written by the analysis -->
<header><h1>Report</h1><p>Contents: <a href="#table">table</a>, <a href="#model">model</a></p></header>
<main>
<section id="table"><h2>Table</h2>
{df.groupby("g").describe().to_html(float_format="%.2f")}
{df.head(3).to_html(index=False, escape=True, na_rep="-", border=0, classes=["wide", "striped"], table_id="head")}
</section>
<section id="model"><h2>Model</h2>
{model.summary().as_html()}
<pre><code>{model.summary().tables[0].as_text()}</code></pre>
<figure><img alt="x and y" width="300" src="data:image/png;base64,{picture}"><figcaption>Figure 1</figcaption></figure>
<ul><li>1 &lt; 2<li>p &gt; 0.05 <b>not <i>significant</i></b></ul>
<p>A paragraph that is not closed
<p>and another<br/>with a break
<hr>
</section>
</main>
<footer><small>&copy; 2026</small></footer>
</body>
</html>
"""
with open(OUTPUT / "report.html", "w") as file:
    file.write(html)
