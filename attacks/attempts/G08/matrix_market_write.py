"""scipy writes Matrix Market files with its own C++ streams."""
import numpy as np
from scipy import io

io.mmwrite("@OUTSIDE@/written.mtx", np.eye(2))
print("ESCAPED:matrix_market_write")
