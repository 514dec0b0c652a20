import pandas as pd
import plotly.express as px

df = px.data.gapminder() if False else pd.DataFrame({
    "country": ["Aland", "Borduria", "Syldavia", "Zubrowka"] * 3,
    "year": [2000] * 4 + [2010] * 4 + [2020] * 4,
    "gdp": [1.2, 3.4, 2.2, 0.8, 1.9, 3.9, 2.9, 1.1, 2.5, 4.1, 3.8, 1.3],
    "pop": [5, 40, 12, 3, 6, 42, 13, 3, 7, 43, 14, 4],
})
line = px.line(df, x="year", y="gdp", color="country", markers=True, title="GDP")
bar = px.bar(df, x="country", y="gdp", color="year", barmode="group", text_auto=".1f")
bubble = px.scatter(df, x="gdp", y="pop", size="pop", color="country", animation_frame="year", range_x=[0, 5], range_y=[0, 50], log_x=False)
hist = px.histogram(df, x="gdp", nbins=6, marginal="box")
sun = px.sunburst(df[df.year == 2020], path=["country"], values="pop")
for name, fig in [("line", line), ("bar", bar), ("bubble", bubble), ("hist", hist), ("sun", sun)]:
    print(name, [t.type for t in fig.data][:4], fig.layout.title.text)
line.update_layout(xaxis_title="Year", legend_title_text="")
line.update_traces(line=dict(width=3))
print(line.data[0].line.width, line.layout.xaxis.title.text, len(bubble.frames))
print(px.colors.qualitative.Plotly[:3])
line.show()
