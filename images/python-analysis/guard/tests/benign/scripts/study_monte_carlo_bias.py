"""Simulation study: bias, coverage and power of three estimators under confounding."""
import numpy as np
import pandas as pd

TRUE = 1.0
N_SIM, N = 200, 200


def ols(X, y):
    XtX = np.linalg.inv(X.T @ X)
    beta = XtX @ X.T @ y
    resid = y - X @ beta
    s2 = resid @ resid / (len(y) - X.shape[1])
    return beta, np.sqrt(np.diag(XtX) * s2)


def one_run(rng):
    c = rng.normal(size=N)
    a = rng.binomial(1, 1 / (1 + np.exp(-c)))
    y = TRUE * a + 1.5 * c + rng.normal(size=N)
    c_noisy = c + rng.normal(0, 0.7, N)
    ones = np.ones(N)
    designs = {
        "crude": np.column_stack([ones, a]),
        "mismeasured": np.column_stack([ones, a, c_noisy]),
        "adjusted": np.column_stack([ones, a, c]),
    }
    for name, X in designs.items():
        b, se = ols(X, y)
        yield name, b[1], se[1]


rng = np.random.default_rng(2718)
runs = pd.DataFrame([r for _ in range(N_SIM) for r in one_run(rng)], columns=["method", "est", "se"])
runs["cover"] = (runs["est"] - TRUE).abs() <= 1.96 * runs["se"]
runs["reject"] = (runs["est"] / runs["se"]).abs() > 1.96
perf = runs.groupby("method").agg(
    mean=("est", "mean"), emp_se=("est", "std"), model_se=("se", "mean"), coverage=("cover", "mean"), power=("reject", "mean"))
perf.insert(1, "bias", perf["mean"] - TRUE)
perf["mcse_bias"] = perf["emp_se"] / np.sqrt(N_SIM)
print(perf.loc[["crude", "mismeasured", "adjusted"]].round(3))
perf.to_csv(OUTPUT / "simulation.csv")
