import json
import os
import sys
from pathlib import Path

import numpy as np

DEFAULTS = {"degree": 3, "seed": 0, "noise": 0.1}


def load_config(path):
    if not os.path.isfile(path):
        return dict(DEFAULTS)
    with open(path) as f:
        return {**DEFAULTS, **json.load(f)}


def fit(config):
    rng = np.random.default_rng(config["seed"])
    x = np.linspace(-1, 1, 40)
    y = np.sin(3 * x) + rng.normal(0, config["noise"], x.size)
    coef = np.polyfit(x, y, config["degree"])
    rmse = float(np.sqrt(np.mean((np.polyval(coef, x) - y) ** 2)))
    return {"degree": config["degree"], "rmse": round(rmse, 4), "coef": np.round(coef, 3).tolist()}


def main(argv=None):
    out_dir = Path(OUTPUT) / "runs"
    os.makedirs(out_dir, exist_ok=True)
    config_path = out_dir / "config.json"
    config_path.write_text(json.dumps({"noise": 0.05}))
    results = []
    for degree in (1, 3, 5):
        config = load_config(config_path) | {"degree": degree}
        outcome = fit(config)
        results.append(outcome)
        with open(out_dir / f"run_{degree}.json", "w") as f:
            json.dump(outcome, f)
        print(outcome)
    best = min(results, key=lambda r: r["rmse"])
    print("best degree:", best["degree"], "| files:", sorted(os.listdir(out_dir)))
    if best["rmse"] > 1:
        print("poor fit", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    print("exit code", code)
    if code:
        sys.exit(code)
