#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""A script in the shape that people give to command-line programs."""
from typing import Dict, List, Optional, Tuple

import numpy as np
import pandas as pd

ALPHA: float = 0.05
COLUMNS: List[str] = ["sbp", "dbp"]

def load(name: str) -> pd.DataFrame:
    return pd.read_csv(DATA / f"{name}.csv")

def summarise(df: pd.DataFrame, columns: Optional[List[str]] = None) -> Dict[str, Tuple[float, float]]:
    columns = columns or COLUMNS
    return {c: (float(np.nanmean(df[c])), float(np.nanstd(df[c], ddof=1))) for c in columns}

def main() -> None:
    df = load("visits")
    for name, (mean, sd) in summarise(df).items():
        print(f"{name}: {mean:.2f} ± {sd:.2f}")

if __name__ == "__main__":
    main()
