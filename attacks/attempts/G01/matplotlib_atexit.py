"""atexit, which matplotlib imports."""
import matplotlib

matplotlib.atexit.register(print, "ESCAPED:matplotlib_atexit")
