"""A grid is made larger than its values: what is interpolated between lies behind them."""
import numpy as np
from scipy.interpolate import RegularGridInterpolator

places = np.arange(60.0)
found = RegularGridInterpolator((places, places), np.zeros((60, 60)))
found.values = np.zeros((2, 2))
points = np.random.default_rng(3).random((4000, 2)) * 58 + 0.5
print("ESCAPED:grid_beyond_its_values" if found(points).any() else "held")
