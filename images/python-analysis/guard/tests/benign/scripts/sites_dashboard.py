import pandas as pd
import plotly.graph_objects as go
import plotly.express as px

monthly = visits.assign(month=pd.to_datetime(visits["date"]).dt.strftime("%Y-%m")).merge(patients[["patient_id", "site"]], on="patient_id")
counts = monthly.groupby(["month", "site"]).size().reset_index(name="visits")
fig = px.area(counts, x="month", y="visits", color="site")
fig.update_traces(hovertemplate="%{x}: %{y}<extra></extra>")
indicator = go.Figure(go.Indicator(mode="number+delta", value=len(visits), delta={"reference": 400}))
treemap = px.treemap(patients.assign(all="all"), path=["all", "site", "arm"])
box = go.Figure()
for site, part in monthly.groupby("site"):
    box.add_trace(go.Box(y=part["sbp"], name=f"Site {site}", boxmean=True))
box.update_layout(showlegend=False, yaxis=dict(title=dict(text="mmHg")))
choices = px.colors.qualitative.Set2
print(counts.shape, choices[0], len(box.data), treemap.data[0].type, indicator.data[0].mode)
result = [fig, box]
