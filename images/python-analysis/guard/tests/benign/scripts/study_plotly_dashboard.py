import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
from plotly.subplots import make_subplots

df = visits.merge(patients, on="patient_id").dropna(subset=["sbp"])
box = px.box(df, x="visit", y="sbp", color="arm", points="outliers", title="Systolic pressure by visit")
scatter = px.scatter(df.dropna(subset=["age"]), x="age", y="sbp", color="sex", facet_col="arm", opacity=0.6, hover_data=["site"])
print(len(box.data), len(scatter.data), scatter.layout.xaxis.title.text)

means = df.groupby(["arm", "visit"])["sbp"].agg(["mean", "sem"]).reset_index()
fig = make_subplots(rows=1, cols=2, subplot_titles=("Mean SBP", "Visits by site"), specs=[[{"type": "xy"}, {"type": "domain"}]])
for arm, g in means.groupby("arm"):
    fig.add_trace(
        go.Scatter(x=g["visit"], y=g["mean"], error_y=dict(type="data", array=1.96 * g["sem"]), name=arm, mode="lines+markers"),
        row=1, col=1,
    )
counts = df["site"].value_counts()
fig.add_trace(go.Pie(labels=counts.index, values=counts.values, hole=0.4), row=1, col=2)
fig.update_layout(height=400, template="plotly_white", legend=dict(orientation="h"))
fig.update_xaxes(dtick=1, title_text="Visit", row=1, col=1)
print([type(t).__name__ for t in fig.data], fig.layout.template.layout.plot_bgcolor)
print(counts.to_dict())
fig.show()
