import logging

import numpy as np
import pandas as pd
from scipy import stats

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("landmark")

LANDMARK = 120
v = visits.copy()
v["date"] = pd.to_datetime(v["date"])
start = v.groupby("patient_id")["date"].min()
v["day"] = (v["date"] - v["patient_id"].map(start)).dt.days
early = v[v["day"] <= LANDMARK].sort_values(["patient_id", "day"])
delta = early.groupby("patient_id")["sbp"].agg(first="first", last="last")
delta["responder"] = (delta["first"] - delta["last"]) >= 10
log.info("responders at day %d: %d of %d", LANDMARK, delta["responder"].sum(), len(delta))

at_risk = events[events["time_days"] > LANDMARK].merge(delta["responder"].reset_index(), on="patient_id")
log.info("%d patients excluded before the landmark", len(events) - len(at_risk))
at_risk["residual"] = at_risk["time_days"] - LANDMARK
table = at_risk.groupby("responder").agg(n=("event", "size"), events=("event", "sum"), days=("residual", "sum"))
table["rate_per_1000d"] = 1000 * table["events"] / table["days"]
print(table.round(3))
ratio = table.loc[True, "rate_per_1000d"] / table.loc[False, "rate_per_1000d"]
se = np.sqrt((1 / table["events"]).sum())
print(f"rate ratio {ratio:.2f} ({ratio * np.exp(-1.96 * se):.2f}-{ratio * np.exp(1.96 * se):.2f})")
u = stats.mannwhitneyu(*[g["residual"] for _, g in at_risk.groupby("responder")])
print("Mann-Whitney p:", round(u.pvalue, 3))
