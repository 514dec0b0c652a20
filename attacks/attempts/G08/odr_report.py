"""ODRPACK's Fortran opens the file of its report."""
import numpy as np
from scipy import odr

x = np.arange(10.0)
data, model = odr.RealData(x, 2 * x + 1), odr.Model(lambda beta, x: beta[0] * x + beta[1])
odr.ODR(data, model, beta0=[1.0, 0.0], rptfile="@OUTSIDE@/report.txt", iprint=6666).run()
print("ESCAPED:odr_report")
