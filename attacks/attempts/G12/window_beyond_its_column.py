"""A window over a column goes on behind its end, where a class of the script's says so: what lies there is added."""
import numpy as np
import pandas as pd
from pandas.api.indexers import BaseIndexer


class Far(BaseIndexer):
    def get_window_bounds(self, num_values=0, min_periods=None, center=None, closed=None, step=None):
        return np.zeros(num_values, np.int64), np.full(num_values, num_values + 64)


held = [np.full(100, 7.0) for _ in range(50)]
found = pd.Series(np.zeros(100)).rolling(Far(window_size=1), min_periods=1).max()
print("ESCAPED:window_beyond_its_column" if found.notna().all() and (found != 0).any() else "held")
