"""Plotly: dose groups with subplots, updates, own templates, HTML and JSON."""
import json
import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
import plotly.io as pio
from plotly.subplots import make_subplots

rng = np.random.default_rng(6)
df = pd.DataFrame({"dose": np.repeat([0, 5, 10, 20], 15), "sex": np.tile(["f", "m"], 30)})
df["weight"] = 30 - 0.2 * df.dose + rng.normal(0, 2, 60) + df.sex.eq("m") * 4
pio.templates["lab"] = go.layout.Template(layout=dict(font=dict(family="serif", size=12), colorway=["#264653", "#e76f51"]))
fig = px.box(df, x="dose", y="weight", color="sex", points="all", template="simple_white+lab", title="weights", labels={"weight": "g"}, category_orders={"sex": ["m", "f"]})
fig.update_traces(jitter=0.3, marker_size=4).update_layout(legend=dict(orientation="h", y=1.1), hovermode="x unified")
fig.add_hline(y=df.weight.mean(), line_dash="dot", annotation_text="mean")
grid = make_subplots(rows=2, cols=2, specs=[[{"secondary_y": True}, {"type": "polar"}], [{"colspan": 2}, None]], subplot_titles=("a", "b", "c"), vertical_spacing=0.15)
means = df.groupby("dose").weight.agg(["mean", "sem"]).reset_index()
grid.add_trace(go.Scatter(x=means.dose, y=means["mean"], error_y=dict(type="data", array=means["sem"]), name="mean", mode="lines+markers"), row=1, col=1)
grid.add_trace(go.Bar(x=means.dose, y=df.groupby("dose").size(), opacity=0.3, name="n"), row=1, col=1, secondary_y=True)
grid.add_trace(go.Barpolar(r=means["mean"], theta=[0, 90, 180, 270]), row=1, col=2)
grid.add_trace(go.Heatmap(z=df.pivot_table(index="sex", columns="dose", values="weight"), colorscale="Viridis", showscale=False), row=2, col=1)
grid.update_xaxes(title_text="mg/kg", row=1, col=1)
grid.for_each_trace(lambda tr: tr.update(name=(tr.name or "trace").upper()))
grid.write_html(OUTPUT / "grid.html", include_plotlyjs=False, full_html=False)
spec = json.loads(fig.to_json())
print(len(spec["data"]), spec["layout"]["title"]["text"], [tr.type for tr in grid.data], grid.layout.xaxis.title.text, means.round(2).to_dict("list"))
line = px.line(means, x="dose", y="mean", error_y="sem", markers=True, log_y=False)
line.write_json(OUTPUT / "line.json")
fig
