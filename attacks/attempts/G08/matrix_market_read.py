"""scipy reads Matrix Market files with its own C++ streams."""
from scipy import io

print("ESCAPED:matrix_market_read" if io.mmread("@OUTSIDE@/canary.mtx")[0][0] == 4711 else "held")
