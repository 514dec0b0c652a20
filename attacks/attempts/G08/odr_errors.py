"""ODRPACK's Fortran opens the file of its errors, by the function below the class."""
import numpy as np
from scipy import odr

x = np.arange(10.0)
data, model = odr.RealData(x, 2 * x + 1), odr.Model(lambda beta, x: beta[0] * x + beta[1])
odr.odr(lambda beta, x: beta[0] * x, [1.0], x, x, errfile="@OUTSIDE@/errors.txt")
print("ESCAPED:odr_errors")
