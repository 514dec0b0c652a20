import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
import plotly.io as pio

rng = np.random.default_rng(1)
df = pd.DataFrame({"x": rng.normal(size=40), "y": rng.normal(size=40), "z": rng.normal(size=40), "g": rng.choice(["a", "b"], 40)})
scatter3d = px.scatter_3d(df, x="x", y="y", z="z", color="g", symbol="g")
violin = px.violin(df, y="x", x="g", box=True, points="all")
density = px.density_heatmap(df, x="x", y="y", nbinsx=8, nbinsy=8)
parallel = px.parallel_coordinates(df, dimensions=["x", "y", "z"], color="z")
treemap = px.treemap(names=["all", "a", "b"], parents=["", "all", "all"], values=[0, 3, 5])
funnel = go.Figure(go.Funnel(y=["visit", "cart", "buy"], x=[100, 40, 10]))
gauge = go.Figure(go.Indicator(mode="gauge+number", value=42, gauge={"axis": {"range": [None, 100]}}))
candle = go.Figure(go.Candlestick(x=["2024-01-01", "2024-01-02"], open=[1, 2], high=[3, 4], low=[0, 1], close=[2, 3]))
geo = px.choropleth(pd.DataFrame({"iso": ["DEU", "FRA"], "v": [1, 2]}), locations="iso", color="v", scope="europe")
polar = go.Figure(go.Scatterpolar(r=[1, 3, 2, 1], theta=["A", "B", "C", "A"], fill="toself"))
for fig in (scatter3d, violin, density, parallel, treemap, funnel, gauge, candle, geo, polar):
    print(fig.data[0].type, len(fig.data))
pio.templates.default = "simple_white"
text = gauge.to_json()
print(len(text) > 100, pio.from_json(text).data[0].value, sorted(pio.templates)[:3])
html = pio.to_html(polar, include_plotlyjs=False, full_html=False)
print("<div" in html)
scatter3d.update_layout(scene_camera=dict(eye=dict(x=1.5, y=1.5, z=0.5)), updatemenus=[dict(type="buttons", buttons=[dict(label="Play", method="animate", args=[None])])])
print(scatter3d.layout.scene.camera.eye.x, scatter3d.layout.updatemenus[0].buttons[0].label)
