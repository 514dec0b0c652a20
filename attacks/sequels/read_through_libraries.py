"""Read a file outside the zones with the readers of numpy, pandas and PIL.

Held by: hook
Landlock: holds
"""
import numpy as np
import pandas as pd

ways = [
    lambda: np.fromfile("@CANARY@", "u1").tobytes(),
    lambda: np.memmap("@CANARY@", "u1", "r").tobytes(),
    lambda: np.loadtxt("@CANARY@", str),
    lambda: pd.read_csv("@CANARY@", header=None).iloc[0, 0],
    lambda: pd._libs.parsers.TextReader(open("@CANARY@", "rb")).read(),
]
for way in ways:
    try:
        print("ESCAPED:read_through_libraries", way())
    except OSError as error:
        refused = error
raise refused
