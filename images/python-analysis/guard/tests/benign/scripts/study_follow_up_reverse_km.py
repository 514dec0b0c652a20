import numpy as np
import pandas as pd

df = events.merge(patients[["patient_id", "arm"]], on="patient_id")


def product_limit(time: pd.Series, event: pd.Series) -> pd.DataFrame:
    tab = (
        pd.DataFrame({"t": time, "d": event})
        .groupby("t")["d"]
        .agg(["sum", "size"])
        .rename(columns={"sum": "d", "size": "left"})
    )
    tab["n"] = tab["left"][::-1].cumsum()[::-1]
    tab["S"] = (1 - tab["d"] / tab["n"]).cumprod()
    return tab


def median_time(tab: pd.DataFrame):
    hit = tab.index[tab["S"] <= 0.5]
    return hit[0] if len(hit) else None


print(f"{'arm':<10}{'n':>5}{'events':>8}{'median OS':>11}{'median FU':>11}")
for arm, g in df.groupby("arm"):
    os_ = median_time(product_limit(g["time_days"], g["event"]))
    fu = median_time(product_limit(g["time_days"], 1 - g["event"]))
    print(f"{arm:<10}{len(g):>5}{g['event'].sum():>8}{str(os_):>11}{str(fu):>11}")

tab = product_limit(df["time_days"], df["event"])
tab["H_nelson_aalen"] = (tab["d"] / tab["n"]).cumsum()
print(tab.loc[tab["d"] > 0, ["n", "d", "S", "H_nelson_aalen"]].iloc[::12].round(3))
risk_table = pd.DataFrame({
    arm: [(g["time_days"] >= t).sum() for t in range(0, 901, 180)] for arm, g in df.groupby("arm")
}, index=range(0, 901, 180)).T
print(risk_table.to_string())
