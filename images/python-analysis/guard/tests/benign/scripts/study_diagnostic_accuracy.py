"""Sensitivity, specificity, predictive values, likelihood ratios with Wilson limits."""
from typing import NamedTuple

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint


class Estimate(NamedTuple):
    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%}–{self.high:.1%})"


def proportion(k: int, n: int) -> Estimate:
    low, high = proportion_confint(k, n, method="wilson")
    return Estimate(k / n, low, high)


rng = np.random.default_rng(11)
disease = rng.binomial(1, 0.2, 800)
marker = rng.normal(disease * 1.4, 1.0)

records = []
for cut in np.arange(0.0, 2.01, 0.5):
    test = marker >= cut
    tp, fp = int((test & (disease == 1)).sum()), int((test & (disease == 0)).sum())
    fn, tn = int((~test & (disease == 1)).sum()), int((~test & (disease == 0)).sum())
    sens, spec = proportion(tp, tp + fn), proportion(tn, tn + fp)
    records.append({
        "cutoff": cut,
        "sensitivity": str(sens),
        "specificity": str(spec),
        "PPV": str(proportion(tp, tp + fp)),
        "NPV": str(proportion(tn, tn + fn)),
        "LR+": round(sens.value / (1 - spec.value), 2) if spec.value < 1 else float("inf"),
        "Youden": round(sens.value + spec.value - 1, 3),
    })
table = pd.DataFrame.from_records(records).set_index("cutoff")
print(table.to_string())
best = table["Youden"].idxmax()
print(f"Best cut-off by Youden's J: {best:.1f}")
table.to_json(OUTPUT / "accuracy.json", orient="index", indent=2)
