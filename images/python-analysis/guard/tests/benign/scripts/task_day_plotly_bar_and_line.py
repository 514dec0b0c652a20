import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
from plotly.subplots import make_subplots

df = pd.DataFrame({
    "month": pd.date_range("2031-01-01", periods=6, freq="MS"),
    "visits": [120, 135, 128, 160, 171, 150],
    "clinic": ["A", "A", "B", "B", "A", "B"],
})
fig = px.bar(df, x="month", y="visits", color="clinic", title="Visits", text_auto=True)
fig.update_layout(bargap=0.2, xaxis_title=None, template="plotly_white")
print(len(fig.data), fig.layout.title.text, [t.name for t in fig.data], fig.data[0].type)
combo = make_subplots(specs=[[{"secondary_y": True}]])
combo.add_trace(go.Bar(x=df["month"], y=df["visits"], name="visits"))
combo.add_trace(go.Scatter(x=df["month"], y=df["visits"].cumsum(), name="total", mode="lines+markers"), secondary_y=True)
combo.update_yaxes(title_text="total", secondary_y=True)
combo.add_hline(y=140, line_dash="dot")
print(combo.data[1].yaxis, combo.layout.yaxis2.title.text, len(combo.layout.shapes))
pie = go.Figure(go.Pie(labels=["x", "y"], values=[3, 7], hole=0.4))
pie.update_traces(textinfo="percent+label", marker=dict(line=dict(color="#fff", width=2)))
print(pie.to_dict()["data"][0]["hole"], "hole" in pie.to_json())
box = px.box(df, x="clinic", y="visits", points="all")
heat = go.Figure(data=go.Heatmap(z=[[1, 2], [3, 4]], colorscale="Viridis"))
print(box.data[0].boxpoints, heat.data[0].z[1][1] if hasattr(heat.data[0], "z") else None)
fig.show() if False else None
print(px.colors.qualitative.Plotly[0], fig.data[0].x[0])
