# # Growth charts by interpolation
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from scipy import interpolate
from scipy.interpolate import (CubicSpline, PchipInterpolator, Akima1DInterpolator, interp1d, UnivariateSpline, make_interp_spline, make_smoothing_spline, BSpline, splrep, splev, RegularGridInterpolator, griddata,
                               RBFInterpolator, LinearNDInterpolator, NearestNDInterpolator, RectBivariateSpline, BarycentricInterpolator, PPoly)

months = np.array([0, 1, 2, 4, 6, 9, 12, 18, 24])
p50 = np.array([3.4, 4.4, 5.5, 7.0, 7.9, 8.9, 9.6, 10.9, 12.1])
new = np.array([.5, 3, 7.5, 20])
tab = pd.DataFrame({
    "linear": np.interp(new, months, p50), "cubic": CubicSpline(months, p50, bc_type="natural")(new), "pchip": PchipInterpolator(months, p50)(new),
    "akima": Akima1DInterpolator(months, p50)(new), "quad": interp1d(months, p50, kind="quadratic", fill_value="extrapolate")(new)}, index=new)
print(tab.round(3))
cs = CubicSpline(months, p50)
print("velocity", cs(new, 1).round(3), cs.derivative()(6).round(4), cs.integrate(0, 12).round(3), cs.solve(8.).round(2), cs.c.shape)
tck = splrep(months, p50, s=.02)
print(splev([5, 10], tck).round(3), len(tck[0]))
us = UnivariateSpline(months, p50, k=3, s=.05)
print(us.get_knots().shape, np.round(us.get_residual(), 4), np.round(us.derivatives(6.)[:2], 3), us.roots().shape)
b = make_interp_spline(months, p50, k=3)
print(b.t.shape, b.derivative(1)(3.).round(4), BSpline(b.t, b.c, b.k, extrapolate=False)([30.]))
rng = np.random.default_rng(5)
xx = np.sort(rng.uniform(0, 24, 80))
yy = cs(xx) + rng.normal(0, .3, 80)
ss = make_smoothing_spline(xx, yy, lam=5.)
print(ss([3, 12]).round(2))

ages, wts = np.array([1., 5, 10, 15]), np.array([5., 20, 40])
dose = np.array([[40, 90, 120], [60, 150, 220], [80, 200, 380], [90, 260, 500.]])
rg = RegularGridInterpolator((ages, wts), dose, method="linear", bounds_error=False, fill_value=np.nan)
print(rg([[7, 25], [2, 50]]).round(1))
print(RectBivariateSpline(ages, wts, dose, kx=2, ky=2)(7, 25).round(1))
pts = rng.uniform(0, 10, (60, 2))
pm = 12 + pts[:, 0] - .3 * pts[:, 1] + rng.normal(0, .2, 60)
gx, gy = np.mgrid[1:9:4j, 1:9:4j]
for m in ("nearest", "linear", "cubic"):
    print(m, griddata(pts, pm, (gx, gy), method=m).round(1)[0])
rbf = RBFInterpolator(pts, pm, neighbors=20, smoothing=.5, kernel="thin_plate_spline")
print(rbf(np.c_[gx.ravel(), gy.ravel()])[:3].round(1), LinearNDInterpolator(pts, pm)(5, 5).round(1), NearestNDInterpolator(pts, pm)(5, 5).round(1))
try:
    interp1d(months, p50)(30)
except ValueError as e:
    print("out of range:", str(e)[:30])
fig, ax = plt.subplots()
grid = np.linspace(0, 24, 200)
ax.plot(months, p50, "ko", grid, cs(grid), "-", grid, PchipInterpolator(months, p50)(grid), "--")
ax.secondary_xaxis("top", functions=(lambda m: m / 12, lambda y: y * 12)).set_xlabel("years")
s = pd.Series(p50, index=pd.to_timedelta(months * 30, "D")).resample("45D").mean().interpolate("pchip")
print(s.round(2).head(4))
print(pd.Series([1, np.nan, np.nan, 4, 8.]).interpolate(method="spline", order=2).round(3).tolist())
