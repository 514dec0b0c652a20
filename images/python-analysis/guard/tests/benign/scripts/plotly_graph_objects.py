import json
import plotly.graph_objects as go
from plotly.subplots import make_subplots

fig = make_subplots(rows=1, cols=2, subplot_titles=("Pressure", "Heart rate"), shared_yaxes=False)
by = visits.groupby("visit").agg({"sbp": "mean", "hr": "mean"})
fig.add_trace(go.Scatter(x=by.index, y=by["sbp"], mode="lines+markers", name="sbp"), row=1, col=1)
fig.add_trace(go.Bar(x=by.index, y=by["hr"], name="hr", marker_color="teal"), row=1, col=2)
fig.update_xaxes(title_text="visit")
fig.update_yaxes(range=[0, 200], row=1, col=1)
fig.add_hline(y=140, line_dash="dot", row=1, col=1)
fig.add_annotation(x=1, y=150, text="limit", showarrow=False)
fig.update_layout(width=800, height=300, margin=dict(l=10, r=10, t=40, b=10))
spec = json.loads(fig.to_json())
print(sorted(spec), [trace["type"] for trace in spec["data"]])
table = go.Figure(go.Table(header=dict(values=["visit", "sbp"]), cells=dict(values=[by.index, by["sbp"].round(1)])))
heat = go.Figure(data=go.Heatmap(z=visits[["sbp", "dbp"]].corr(), colorscale="Viridis"))
sankey = go.Figure(go.Sankey(node=dict(label=["a", "b"]), link=dict(source=[0], target=[1], value=[3])))
print(table.data[0].type, heat.to_dict()["data"][0]["type"], sankey.data[0].type)
fig.show()
