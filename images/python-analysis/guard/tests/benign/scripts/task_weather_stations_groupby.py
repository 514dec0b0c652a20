import io
import pandas as pd
import matplotlib.pyplot as plt

CSV = """station,date,tmin,tmax,rain
BER,2024-01-01,-2.1,3.4,0.0
BER,2024-01-02,-4.0,1.0,1.2
BER,2024-07-01,15.2,27.9,0
MUC,2024-01-01,-5.5,0.2,3.1
MUC,2024-07-01,14.0,29.5,12.4
MUC,2024-07-02,13.1,,0.4
HAM,2024-01-02,0.3,4.4,7.7
HAM,2024-07-02,12.2,21.0,2.0
"""
df = pd.read_csv(io.StringIO(CSV), parse_dates=["date"])
df["tmax"] = df.groupby("station")["tmax"].transform(lambda s: s.fillna(s.mean()))
df["range"] = df.eval("tmax - tmin")
df["season"] = df["date"].dt.month.map(lambda m: "winter" if m in (12, 1, 2) else "summer")
print(df.to_string(index=False, na_rep="-"))
table = df.pivot_table(index="station", columns="season", values=["tmax", "rain"], aggfunc={"tmax": "mean", "rain": "sum"})
print(table.round(1))
hot = df.loc[df.groupby("season")["tmax"].idxmax(), ["season", "station", "tmax"]]
print(hot.to_string(index=False))
print(df[["tmin", "tmax", "rain"]].corr().round(2).loc["tmin", "tmax"], df["rain"].gt(2).sum(), df["station"].mode()[0])

fig, ax = plt.subplots()
for station, g in df.groupby("station"):
    ax.vlines(g["date"], g["tmin"], g["tmax"], lw=4, alpha=0.6, label=station)
ax2 = ax.twinx()
ax2.bar(df["date"], df["rain"], width=2, color="navy", alpha=0.3)
ax.legend(loc="upper center")
fig.savefig("weather.png")
print(df.set_index("date").sort_index().loc["2024-07", "tmax"].tolist())
