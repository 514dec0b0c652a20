"""Illness-death: transition counts, Aalen-Johansen, state occupation."""
import numpy as np, pandas as pd
import matplotlib.pyplot as plt
from enum import IntEnum
from scipy.linalg import expm
from collections import defaultdict

class State(IntEnum):
    WELL = 0
    ILL = 1
    DEAD = 2

    @property
    def label(self):
        return self.name.title()

rng = np.random.default_rng(161)
Q = np.array([[-.25, .2, .05], [.05, -.35, .3], [0, 0, 0.]])
def path(tmax=8.):
    t, s, out = 0., State.WELL, []
    while t < tmax and s != State.DEAD:
        dt = rng.exponential(-1 / Q[s, s])
        nxt = State(int(rng.choice(3, p=np.where(np.arange(3) == s, 0, Q[s]) / -Q[s, s])))
        out.append((t, min(t + dt, tmax), s, nxt if t + dt < tmax else None))
        t, s = t + dt, nxt
    return out
rec = pd.DataFrame([(i, *r) for i in range(300) for r in path()], columns=["id", "start", "stop", "frm", "to"])
trans = rec.dropna().assign(to=lambda d: d.to.astype(int), frm=lambda d: d.frm.astype(int))
counts = pd.crosstab(trans.frm, trans.to).reindex(index=[0, 1], columns=[0, 1, 2], fill_value=0)
counts.index, counts.columns = [State(i).label for i in counts.index], [State(i).label for i in counts.columns]
print(counts)
exposure = rec.assign(t=rec.stop - rec.start).groupby("frm").t.sum()
print((counts.div(exposure.values, axis=0)).round(3))

def aalen_johansen(rec, trans):
    P, out = np.eye(3), [(0., *np.eye(3)[0])]
    for t, g in trans.sort_values("stop").groupby("stop"):
        dA = np.zeros((3, 3))
        for r in g.itertuples():
            at = ((rec.frm == r.frm) & (rec.start < t) & (rec.stop >= t)).sum()
            dA[r.frm, r.to] += 1 / at
        dA -= np.diag(dA.sum(1))
        P = P @ (np.eye(3) + dA)
        out.append((t, *P[0]))
    return pd.DataFrame(out, columns=["t", *[s.label for s in State]]).set_index("t")
aj = aalen_johansen(rec, trans)
for t in (1, 4, 7):
    print(t, aj[aj.index <= t].iloc[-1].round(2).tolist(), expm(Q * t)[0].round(2).tolist())
fig, ax = plt.subplots(); ax.stackplot(aj.index, aj.T.values, labels=aj.columns, step="post"); ax.legend(loc="lower left")
stay = defaultdict(list)
for r in rec.itertuples(index=False):
    stay[State(r.frm).label].append(r.stop - r.start)
print({k: round(float(np.mean(v)), 2) for k, v in stay.items()}, State["ILL"] > State.WELL, [s.value for s in State], State(2).label)
d = events.assign(k=events.cause.map({"cardiac": 1, "other": 2}).fillna(0).astype(int)).sort_values("time_days")
n, S, cif = len(d), 1., {1: 0., 2: 0.}
for t, g in d.groupby("time_days"):
    for k in cif:
        cif[k] += S * (g.k == k).sum() / n
    S *= 1 - (g.k > 0).sum() / n
    n -= len(g)
print({k: round(v, 3) for k, v in cif.items()}, round(S + sum(cif.values()), 6))
