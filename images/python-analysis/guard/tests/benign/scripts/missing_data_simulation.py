import numpy as np
import pandas as pd

rng = np.random.default_rng(8)
full = patients[["age", "bmi"]].dropna().reset_index(drop=True)
holes = full.mask(rng.random(full.shape) < 0.2)
def impute(frame, rounds=5):
    filled = frame.fillna(frame.mean())
    for _ in range(rounds):
        for target in frame.columns:
            other = [c for c in frame.columns if c != target]
            known = frame[target].notna()
            A = np.c_[np.ones(known.sum()), filled.loc[known, other]]
            beta, *_ = np.linalg.lstsq(A, frame.loc[known, target], rcond=None)
            filled.loc[~known, target] = np.c_[np.ones((~known).sum()), filled.loc[~known, other]] @ beta
    return filled
done = impute(holes)
print(holes.isna().sum().to_dict(), done.isna().any().any(), (done - full).abs().mean().round(2).to_dict())
print(holes.isnull().mean().map("{:.1%}".format).to_dict(), holes.ffill().bfill().isna().sum().sum(), holes.count(axis=1).value_counts().to_dict())
