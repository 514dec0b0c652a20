import plotly.express as px

df = visits.merge(patients, on="patient_id").dropna()
charts = [
    px.scatter(df, x="age", y="sbp", color="arm", facet_col="sex", hover_data=["patient_id"]),
    px.box(df, x="visit", y="sbp", color="arm", points="all"),
    px.histogram(df, x="bmi", nbins=20, marginal="rug", barmode="overlay", opacity=0.6),
    px.bar(df.groupby("site", as_index=False)["sbp"].mean(), x="site", y="sbp", text_auto=".1f"),
    px.line(df.groupby(["visit", "arm"], as_index=False)["sbp"].mean(), x="visit", y="sbp", color="arm", markers=True),
    px.pie(df, names="site", hole=0.4),
]
for number, figure in enumerate(charts):
    figure.update_layout(title=f"Chart {number}", template="plotly_white", legend_title_text="")
    print(number, figure.layout.title.text, len(figure.data), figure.data[0].type)
charts[0].write_html(OUTPUT / "scatter.html", include_plotlyjs="cdn")
result = {"n": len(df), "chart": charts[4]}
