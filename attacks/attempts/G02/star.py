"""A star import brings all of a module that has no __all__, and the modules that it uses itself."""
from statsmodels.tools.tools import *

found = [name for name in dir() if name in ("np", "pd", "scipy", "array_like")]
print("ESCAPED:star", found)
