import numpy as np
import pandas as pd

rx = pd.DataFrame({
    "id": [1, 1, 1, 2, 2, 3],
    "dispensed": pd.to_datetime(["2022-01-01", "2022-01-25", "2022-04-01", "2022-02-01", "2022-02-20", "2022-03-15"]),
    "days_supply": [30, 30, 60, 28, 28, 90],
})
GRACE = 14

rx = rx.sort_values(["id", "dispensed"]).reset_index(drop=True)
rx["end"] = rx["dispensed"] + pd.to_timedelta(rx["days_supply"], unit="D")


def episodes(group: pd.DataFrame) -> pd.DataFrame:
    previous_end = group["end"].cummax().shift()
    gap = (group["dispensed"] - previous_end).dt.days
    episode = (gap.isna() | (gap > GRACE)).cumsum()
    return (
        group.assign(episode=episode)
        .groupby("episode")
        .agg(start=("dispensed", "min"), end=("end", "max"), fills=("dispensed", "size"))
        .reset_index()
    )


ep = pd.concat({i: episodes(g) for i, g in rx.groupby("id")}, names=["id"]).reset_index(level=0).reset_index(drop=True)
ep["duration"] = (ep["end"] - ep["start"]).dt.days
print(ep.to_string(index=False))

window = (pd.Timestamp("2022-01-01"), pd.Timestamp("2022-06-30"))
days = pd.date_range(*window, freq="D")
covered = pd.DataFrame(False, index=days, columns=sorted(rx["id"].unique()))
for r in rx.itertuples():
    covered.loc[r.dispensed : r.end - pd.Timedelta(days=1), r.id] = True
pdc = covered.mean().round(3)
print("PDC:", pdc.to_dict(), "adherent:", [int(i) for i in pdc.index[pdc >= 0.8]])
print(covered.resample("ME").mean().round(2).set_axis(["Jan", "Feb", "Mar", "Apr", "May", "Jun"]).to_string())
