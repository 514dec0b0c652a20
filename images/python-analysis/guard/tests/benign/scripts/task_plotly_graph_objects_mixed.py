import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

x = np.linspace(0, 10, 50)
fig = make_subplots(specs=[[{"secondary_y": True}]])
fig.add_trace(go.Bar(x=list(range(10)), y=[v * 2 for v in range(10)], name="bars"), secondary_y=False)
fig.add_trace(go.Scatter(x=x, y=np.sin(x), name="sine", mode="lines", line={"dash": "dot"}), secondary_y=True)
fig.update_yaxes(title_text="left", secondary_y=False)
fig.update_yaxes(title_text="right", secondary_y=True)
fig.add_hline(y=5, line_dash="dash", annotation_text="threshold")
fig.add_vrect(x0=2, x1=4, fillcolor="green", opacity=0.1, line_width=0)
fig.update_layout(title={"text": "Mixed", "x": 0.5}, hovermode="x unified")
print(len(fig.data), len(fig.layout.shapes), fig.layout.yaxis2.title.text)

z = np.add.outer(np.sin(x), np.cos(x))
heat = go.Figure(go.Heatmap(z=z, colorscale="Viridis"))
surface = go.Figure(data=[go.Surface(z=z)], layout=go.Layout(scene=dict(aspectmode="cube")))
sankey = go.Figure(go.Sankey(node=dict(label=["a", "b", "c"]), link=dict(source=[0, 0, 1], target=[1, 2, 2], value=[3, 1, 2])))
table = go.Figure(go.Table(header=dict(values=["k", "v"]), cells=dict(values=[["x", "y"], [1, 2]])))
for f in (heat, surface, sankey, table):
    print(f.data[0].type)
as_dict = heat.to_dict()
print(sorted(as_dict), len(as_dict["data"]))
try:
    go.Scatter(markercolour="red")
except ValueError as e:
    print("ValueError:", "markercolour" in str(e))
fig.write_html("mixed.html", include_plotlyjs="cdn")
