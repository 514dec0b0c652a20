"""A spline's knots are set after it was made: its value is made of numbers that lie behind its coefficients."""
import numpy as np
from scipy.interpolate import make_interp_spline

places = np.linspace(0, 1, 20)
spline = make_interp_spline(places, places)
spline.c = np.zeros(16)
spline.t = np.arange(5000.0)
print("ESCAPED:spline_beyond_its_coefficients" if spline(np.arange(100.5, 4000)).any() else "held")
