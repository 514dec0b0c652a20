"""scipy writes MATLAB files anywhere, and appends their ending."""
from scipy import io

io.savemat("@OUTSIDE@/m", {"a": 1})
print("ESCAPED:scipy_savemat")
