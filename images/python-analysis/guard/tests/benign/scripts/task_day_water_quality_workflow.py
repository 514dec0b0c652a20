"""Full mini analysis: load, clean, test, model, plot, report. Written as functions with a main()."""
from __future__ import annotations

import argparse
import io
import logging
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

LOG = logging.getLogger("water")
RAW = """station;date;nitrate;oxygen
N1;2031-01-05;4,2;9.1
N1;2031-02-05;5,0;8.7
N1;2031-03-05;n/a;8.0
S1;2031-01-06;12,4;6.5
S1;2031-02-06;11,9;6.1
S1;2031-02-06;11,9;6.1
S1;2031-03-06;13,3;5.2
"""


def load(source: str | Path | io.StringIO) -> pd.DataFrame:
    df = pd.read_csv(source, sep=";", na_values=["n/a"], dtype={"station": "category"}, parse_dates=["date"])
    df["nitrate"] = pd.to_numeric(df["nitrate"].str.replace(",", "."), errors="coerce")
    LOG.info("loaded %d rows", len(df))
    return df


def clean(df: pd.DataFrame) -> pd.DataFrame:
    before = len(df)
    out = df.drop_duplicates().copy()
    out["nitrate"] = out.groupby("station", observed=True)["nitrate"].transform(lambda s: s.fillna(s.mean()))
    LOG.info("dropped %d duplicates", before - len(out))
    return out


def compare(df: pd.DataFrame) -> dict[str, Any]:
    a, b = (g["nitrate"].to_numpy() for _, g in df.groupby("station", observed=True))
    t = stats.ttest_ind(a, b, equal_var=False)
    slope, intercept, r, p, se = stats.linregress(df["nitrate"], df["oxygen"])
    return {"t": round(float(t.statistic), 2), "slope": round(slope, 3), "r2": round(r ** 2, 3), "ci": np.round(t.confidence_interval(), 1).tolist()}


def plot(df: pd.DataFrame, target: Path) -> None:
    fig, ax = plt.subplots()
    for station, group in df.groupby("station", observed=True):
        ax.plot(group["date"], group["nitrate"], marker="o", label=station)
    ax.axhspan(0, 10, color="green", alpha=0.1)
    ax.legend(title="station")
    fig.autofmt_xdate()
    fig.savefig(target)
    plt.close(fig)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("report"))
    parser.add_argument("--log-level", default="INFO", choices=["DEBUG", "INFO", "WARNING"])
    args = parser.parse_args(argv)
    logging.basicConfig(level=getattr(logging, args.log_level), stream=sys.stdout, format="[%(levelname)s] %(message)s")
    args.out.mkdir(parents=True, exist_ok=True)
    df = clean(load(io.StringIO(RAW)))
    result = compare(df)
    plot(df, args.out / "nitrate.png")
    with open(args.out / "report.md", "w") as f:
        print("# Water", *(f"- {k}: {v}" for k, v in result.items()), sep="\n", file=f)
    print((args.out / "report.md").read_text())
    print(sorted(p.name for p in args.out.iterdir()), df.dtypes.astype(str).to_dict(), df.memory_usage().sum() > 0)
    return 0


if __name__ == "__main__":
    raise SystemExit(main([]))
