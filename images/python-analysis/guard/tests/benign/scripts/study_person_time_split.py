"""Lexis expansion: follow-up split by calendar year and age band."""
import pandas as pd
import numpy as np

people = pd.DataFrame({
    "id": [1, 2, 3, 4],
    "birth": pd.to_datetime(["1950-06-15", "1962-01-20", "1948-11-02", "1955-03-30"]),
    "entry": pd.to_datetime(["2015-03-01", "2016-07-15", "2015-01-01", "2017-02-10"]),
    "exit": pd.to_datetime(["2018-10-20", "2019-12-31", "2016-05-05", "2019-06-30"]),
    "event": [1, 0, 1, 0],
})


def split_years(row):
    cuts = pd.date_range(row.entry, row.exit, freq="YS")
    edges = [row.entry, *[c for c in cuts if row.entry < c < row.exit], row.exit]
    for i, (a, b) in enumerate(zip(edges[:-1], edges[1:])):
        last = i == len(edges) - 2
        age = (a - row.birth).days / 365.25
        yield {
            "id": row.id, "start": a, "stop": b, "year": a.year,
            "age_band": f"{int(age // 5 * 5)}-{int(age // 5 * 5) + 4}",
            "pyears": (b - a).days / 365.25, "event": int(row.event) if last else 0,
        }


expanded = pd.DataFrame(piece for row in people.itertuples(index=False) for piece in split_years(row))
print(expanded.to_string(index=False, float_format=lambda v: f"{v:.3f}"))
total = (people["exit"] - people["entry"]).dt.days.sum() / 365.25
assert np.isclose(expanded["pyears"].sum(), total)
table = expanded.pivot_table(index="age_band", columns="year", values="pyears", aggfunc="sum", fill_value=0, margins=True)
print(table.round(2))
rates = expanded.groupby("year").agg(events=("event", "sum"), py=("pyears", "sum")).assign(rate=lambda d: 1000 * d.events / d.py)
print(rates.round(1))
