import numpy as np
import pandas as pd

e = events.merge(patients[["patient_id", "arm"]], on="patient_id")
bins = np.arange(0, e["time_days"].max() + 91, 90)
e["interval"] = pd.cut(e["time_days"], bins, right=False)
life = e.groupby("interval", observed=False)["event"].agg(["size", "sum"]).rename(columns={"size": "left", "sum": "died"})
life["entered"] = len(e) - life["left"].cumsum().shift(fill_value=0)
life["q"] = (life["died"] / (life["entered"] - (life["left"] - life["died"]) / 2)).fillna(0)
life["survival"] = (1 - life["q"]).cumprod()
life.index = life.index.astype(str)
print(life.round(3).to_string())
rate = e.groupby("arm").apply(lambda g: 1000 * g["event"].sum() / g["time_days"].sum(), include_groups=False)
print(rate.round(4).to_dict())
print(e["cause"].value_counts(dropna=False).sort_index().to_dict())
