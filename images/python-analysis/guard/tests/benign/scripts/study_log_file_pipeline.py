"""A pipeline of steps that logs to a file and to the screen."""
import functools
import time
from pathlib import Path

import pandas as pd

LOG = Path(OUTPUT) / "analysis_log.txt"


def log(message: str, level: str = "INFO") -> None:
    line = f"[{level}] {message}"
    print(line)
    with LOG.open("a", encoding="utf-8") as fh:
        fh.write(line + "\n")


def step(name):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(df, *args, **kwargs):
            start = time.perf_counter()
            before = df.shape
            out = func(df, *args, **kwargs)
            elapsed = time.perf_counter() - start
            log(f"{name}: {before} -> {out.shape} in {'<60' if elapsed < 60 else '>=60'} s")
            return out
        return wrapper
    return decorator


@step("load")
def load(df):
    return df.copy()


@step("drop missing")
def drop_missing(df, columns):
    """Drop rows that lack one of the columns."""
    return df.dropna(subset=columns)


@step("derive")
def derive(df):
    return df.assign(map=lambda d: (d.sbp + 2 * d.dbp) / 3, pulse_pressure=lambda d: d.sbp - d.dbp)


@step("winsorise")
def winsorise(df, column, q=0.02):
    lo, hi = df[column].quantile([q, 1 - q])
    return df.assign(**{column: df[column].clip(lo, hi)})


final = visits.pipe(load).pipe(drop_missing, ["sbp", "dbp"]).pipe(derive).pipe(winsorise, "map")
print(final[["map", "pulse_pressure"]].agg(["mean", "std", "min", "max"]).round(2))
print(drop_missing.__name__, "-", drop_missing.__doc__)
log("done", level="OK")
print(LOG.read_text(encoding="utf-8").count("\n"), "lines logged")
