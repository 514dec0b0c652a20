import pandas as pd

raw = pd.read_csv(DATA / "visits.csv", dtype={"patient_id": "string"}, parse_dates=["date"])
doubled = pd.concat([raw, raw.sample(15, random_state=3)], ignore_index=True)
print("before:", len(doubled), "after:", len(doubled.drop_duplicates()))
doubled = doubled.drop_duplicates().reset_index(drop=True)
doubled["sbp"] = pd.to_numeric(doubled["sbp"], errors="coerce").round().astype("Int64")
print(doubled.dtypes)
print(doubled.memory_usage(deep=False).gt(0).all())
bad = doubled.query("sbp < dbp or sbp > 260")
print(f"{len(bad)} implausible rows")
doubled = doubled.drop(index=bad.index)
print(doubled.duplicated(["patient_id", "visit"], keep=False).sum())
doubled.info(memory_usage=False)
