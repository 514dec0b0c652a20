from datetime import date, timedelta
from enum import Enum

import pandas as pd


class Adherence(Enum):
    EARLY = "early"
    ON_TIME = "on time"
    LATE = "late"

    @classmethod
    def classify(cls, deviation: int, window: int = 7) -> "Adherence":
        if deviation < -window:
            return cls.EARLY
        return cls.LATE if deviation > window else cls.ON_TIME


START = date(2021, 1, 4)
schedule = {visit: START + timedelta(days=60 * visit + 10) for visit in range(1, 5)}
for visit, planned in schedule.items():
    print(visit, planned.strftime("%a %d %b %Y"), f"week {planned.isocalendar().week}")

rows = []
for rec in visits.itertuples():
    actual = date.fromisoformat(str(rec.date)[:10])
    deviation = (actual - schedule[rec.visit]).days
    rows.append((rec.patient_id, rec.visit, deviation, Adherence.classify(deviation)))
adherence = pd.DataFrame(rows, columns=["patient_id", "visit", "deviation", "status"])
adherence["status"] = adherence["status"].map(lambda s: s.value)
print(adherence.groupby("visit")["deviation"].describe()[["mean", "min", "max"]].round(1))
print(pd.crosstab(adherence["visit"], adherence["status"]))
worst = adherence.groupby("patient_id")["deviation"].apply(lambda s: s.abs().max()).nlargest(5)
print("worst:", worst.to_dict())
print("members:", [a.name for a in Adherence], Adherence("late") is Adherence.LATE)
adherence.to_csv(OUTPUT / "adherence.csv", index=False)
