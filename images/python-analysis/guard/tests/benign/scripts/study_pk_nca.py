"""Non-compartmental pharmacokinetics: AUC, Cmax, half-life."""
from __future__ import annotations

from dataclasses import dataclass, asdict

import numpy as np
import pandas as pd

TIMES = np.array([0, 0.5, 1, 2, 4, 8, 12, 24], dtype=float)


@dataclass
class PKParameters:
    subject: str
    cmax: float
    tmax: float
    auc_last: float
    auc_inf: float
    half_life: float


def simulate(rng: np.random.Generator, dose: float, ka: float, ke: float, v: float) -> np.ndarray:
    c = dose * ka / (v * (ka - ke)) * (np.exp(-ke * TIMES) - np.exp(-ka * TIMES))
    return c * np.exp(rng.normal(0, 0.08, c.size))


def linear_up_log_down(t: np.ndarray, c: np.ndarray) -> float:
    area = 0.0
    for (t0, c0), (t1, c1) in zip(zip(t, c), zip(t[1:], c[1:])):
        if c1 < c0 and c1 > 0:
            area += (t1 - t0) * (c0 - c1) / np.log(c0 / c1)
        else:
            area += (t1 - t0) * (c0 + c1) / 2
    return area


def analyse(subject: str, conc: np.ndarray) -> PKParameters:
    slope, _ = np.polyfit(TIMES[-3:], np.log(conc[-3:]), 1)
    lz = -slope
    auc = linear_up_log_down(TIMES, conc)
    i = int(conc.argmax())
    return PKParameters(subject, float(conc[i]), float(TIMES[i]), float(auc), float(auc + conc[-1] / lz), float(np.log(2) / lz))


rng = np.random.default_rng(3)
params = [analyse(f"S{i}", simulate(rng, 100, rng.uniform(0.8, 1.5), rng.uniform(0.1, 0.2), rng.uniform(8, 12))) for i in range(1, 9)]
table = pd.DataFrame([asdict(p) for p in params]).set_index("subject")
print(table.round(2).to_string())
geo = np.exp(np.log(table[["cmax", "auc_inf"]]).mean())
cv = 100 * np.sqrt(np.exp(np.log(table[["cmax", "auc_inf"]]).var()) - 1)
print(pd.DataFrame({"geometric mean": geo, "CV%": cv}).round(1))
table.agg(["mean", "std", "min", "median", "max"]).to_csv(OUTPUT / "pk_summary.csv")
