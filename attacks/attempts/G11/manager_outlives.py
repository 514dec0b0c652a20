"""A figure manager's close callback runs when the interpreter ends."""
import matplotlib

matplotlib.atexit.register(print, "ESCAPED:manager_outlives")
