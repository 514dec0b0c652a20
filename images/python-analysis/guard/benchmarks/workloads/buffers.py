"""Small arrays that are lent to native code: rolling windows, ranks, factors, views of memory."""

import time

import numpy as np
import pandas as pd

began = time.thread_time()
total, values = 0.0, np.arange(64.0)
series = pd.Series(values)
for i in range(1_500):
    values[i % 64] = i
    total += memoryview(values)[3] + np.frombuffer(values)[5]
    total += series.rolling(4).mean().iloc[-1] + series.rank().iloc[0]
    total += pd.factorize(values)[0][-1] + series.isin([3.0, 4.0]).sum()
print(time.thread_time() - began)
