import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import CubicSpline, interp1d
from scipy.optimize import brentq, curve_fit, linprog, minimize

def emax(dose, e0, top, ed50):
    return e0 + top * dose / (ed50 + dose)

dose = np.array([0, 5, 10, 20, 50, 100.0])
response = emax(dose, 2, 10, 15) + np.array([0.1, -0.2, 0.05, 0.2, -0.1, 0.1])
(e0, top, ed50), cov = curve_fit(emax, dose, response, p0=[1, 8, 10])
print(f"E0={e0:.2f} Emax={top:.2f} ED50={ed50:.2f} se={np.sqrt(np.diag(cov)).round(2)}")
best = minimize(lambda p: (p[0] - 1) ** 2 + (p[1] + 2) ** 2, x0=[0, 0], method="Nelder-Mead")
print(best.x.round(3), best.success)
print(round(brentq(lambda x: x**3 - 2, 0, 2), 5), round(quad(np.exp, 0, 1)[0], 6))
sol = solve_ivp(lambda t, y: [-0.3 * y[0]], (0, 10), [100], t_eval=[0, 5, 10], rtol=1e-8)
print(sol.y[0].round(3))
print(CubicSpline([0, 1, 2], [0, 1, 4])(1.5).round(3), interp1d([0, 1], [0, 10])(0.25))
print(linprog([-1, -2], A_ub=[[1, 1]], b_ub=[4], bounds=[(0, 3), (0, 3)]).x)
