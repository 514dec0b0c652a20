"""pandas' windows go where an indexer says.

Held by: the sandbox
"""
import numpy as np
import pandas as pd


class Indexer(pd.api.indexers.BaseIndexer):
    def get_window_bounds(self, num_values=0, min_periods=None, center=None, closed=None, step=None):
        return np.array([self.window_size]), np.array([self.window_size + 1])


for place in range(2, 4096):
    found = pd.Series([0.0]).rolling(Indexer(window_size=place), min_periods=0).sum()[0]
    if found != 0 and found == found:
        print("ESCAPED:rolling_bounds", found)
        break
