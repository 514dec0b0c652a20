import numpy as np
import pandas as pd
from concurrent.futures import ThreadPoolExecutor
from tqdm import tqdm
import statsmodels.formula.api as smf
import time

d = patients.merge(events, on="patient_id").dropna(subset=["age", "bmi"])
start = time.perf_counter()
def risk_difference(x):
    r = x.groupby("arm").event.mean()
    return r["active"] - r["placebo"]
def marginal(x):
    m = smf.logit("event ~ arm + age + bmi", x).fit(disp=False)
    return m.predict(x.assign(arm="active")).mean() - m.predict(x.assign(arm="placebo")).mean()
def one(seed, f=risk_difference):
    return f(d.sample(len(d), replace=True, random_state=seed))
with ThreadPoolExecutor(max_workers=2) as ex:
    b = np.fromiter(ex.map(one, range(200)), float)
est = risk_difference(d)
print(f"RD {est:.3f} percentile {np.percentile(b, [2.5, 97.5]).round(3)} basic {(2 * est - np.percentile(b, [97.5, 2.5])).round(3)} normal {est - 1.96 * b.std():.3f}")
mb = [one(s, marginal) for s in tqdm(range(20), disable=True)]
print(f"standardised {marginal(d):.3f} se {np.std(mb, ddof=1):.3f}")
jack = np.array([risk_difference(d.drop(i)) for i in d.index])
acc = ((jack.mean() - jack) ** 3).sum() / 6 / (((jack.mean() - jack) ** 2).sum()) ** 1.5
print("acceleration", round(acc, 4), "elapsed ok", time.perf_counter() - start < 120)
clus = visits.dropna(subset=["sbp"])
ids = clus.patient_id.unique()
gb = dict(tuple(clus.groupby("patient_id")))
rng = np.random.default_rng(0)
cb = [pd.concat([gb[i] for i in rng.choice(ids, len(ids))]).sbp.mean() for _ in range(30)]
print("clustered se", np.std(cb).round(2), "naive", (clus.sbp.std() / np.sqrt(len(clus))).round(2))
perm = np.array([risk_difference(d.assign(arm=rng.permutation(d.arm.values))) for _ in range(200)])
print("permutation p", ((np.abs(perm) >= abs(est)).sum() + 1) / 201)
