import pandas as pd

print("rows:", len(pd.read_csv(DATA / "labs.csv")))
if labs.empty:
    print("nothing to do")
    raise SystemExit(1)
raise SystemExit
