import pandas as pd

summary = patients.groupby("arm").agg(n=("patient_id", "size"), age=("age", "mean")).round(1)
print(summary)
summary.reset_index().to_dict("records")
