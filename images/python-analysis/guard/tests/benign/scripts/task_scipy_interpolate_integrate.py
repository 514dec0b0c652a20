import numpy as np
from scipy import integrate, interpolate
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator, griddata, interp1d, make_interp_spline

x = np.linspace(0, 10, 11)
y = np.sin(x)
xs = np.array([0.5, 3.3, 9.1])
print("linear:", np.interp(xs, x, y).round(3), interp1d(x, y, kind="cubic")(xs).round(3))
cs = CubicSpline(x, y)
print("spline:", cs(xs).round(3), cs(xs, 1).round(2), round(float(cs.integrate(0, np.pi)), 3))
print("pchip:", PchipInterpolator(x, y)(xs).round(3), make_interp_spline(x, y, k=3)(xs).round(3))
tck = interpolate.splrep(x, y, s=0)
print("splev:", interpolate.splev(xs, tck).round(3))
grid = RegularGridInterpolator((np.arange(4), np.arange(3)), np.arange(12).reshape(4, 3))
print("grid:", grid([[1.5, 0.5], [2.25, 1]]))
pts = np.array([[0, 0], [1, 0], [0, 1], [1, 1]])
print("scattered:", griddata(pts, pts.sum(axis=1), [[0.5, 0.5], [0.2, 0.1]], method="linear"))

val, err = integrate.quad(lambda t: np.exp(-t**2), -np.inf, np.inf)
print("gauss: %.6f (sqrt pi %.6f)" % (val, np.sqrt(np.pi)), err < 1e-6)
print("double: %.4f" % integrate.dblquad(lambda yy, xx: xx * yy, 0, 1, 0, lambda xx: xx)[0])
print("simpson:", round(float(integrate.simpson(y, x=x)), 4), "trapezoid:", round(float(integrate.trapezoid(y, x)), 4))
sol = integrate.solve_ivp(lambda t, s: [s[1], -s[0]], (0, 2 * np.pi), [1, 0], rtol=1e-9, atol=1e-9, events=lambda t, s: s[0])
print("oscillator end:", sol.y[:, -1].round(5), "zero crossings:", sol.t_events[0].round(3))
print("odeint:", integrate.odeint(lambda s, t: -0.5 * s, 2.0, [0, 1, 2]).ravel().round(4))
