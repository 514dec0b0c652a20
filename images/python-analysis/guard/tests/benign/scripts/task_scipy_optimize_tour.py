import numpy as np
from scipy import optimize

rosen = lambda x: sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
for method in ("Nelder-Mead", "BFGS", "L-BFGS-B", "Powell"):
    res = optimize.minimize(rosen, [-1.2, 1.0], method=method)
    print(f"{method:<12} f={res.fun:.1e} ok={np.allclose(res.x, 1, atol=1e-2)}")

con = optimize.minimize(lambda x: (x[0] - 1) ** 2 + (x[1] - 2.5) ** 2, (2, 0), method="SLSQP", bounds=[(0, None)] * 2,
                        constraints=[{"type": "ineq", "fun": lambda x: x[0] - 2 * x[1] + 2}, {"type": "ineq", "fun": lambda x: -x[0] - 2 * x[1] + 6}])
print("SLSQP:", con.x.round(3), con.success)
lp = optimize.linprog(c=[-3, -5], A_ub=[[1, 0], [0, 2], [3, 2]], b_ub=[4, 12, 18], method="highs")
print("LP:", lp.x.round(3), -lp.fun)
print("root:", round(optimize.brentq(np.cos, 0, 3), 6), round(optimize.newton(lambda x: x**3 - 2, 1), 6))
sol = optimize.root(lambda v: [v[0] + v[1] - 3, v[0] * v[1] - 2], [0.5, 2.5])
print("system:", np.sort(sol.x).round(6), optimize.fsolve(lambda x: x**2 - 4, 1.0).round(6))
de = optimize.differential_evolution(lambda x: x[0] ** 2 + 10 * np.sin(x[0]), [(-10, 10)], seed=1)
print("global: %.3f" % de.x[0])
row, col = optimize.linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
print("assignment:", col.tolist())
popt, _ = optimize.curve_fit(lambda t, a, b: a * np.exp(-b * t), np.arange(5), 3 * np.exp(-0.5 * np.arange(5)))
print("fit:", popt.round(4), optimize.minimize_scalar(lambda x: (x - 2) ** 2, bounds=(0, 5), method="bounded").x.round(4))
trace = []
optimize.minimize(rosen, [0.0, 0.0], method="CG", callback=lambda xk: trace.append(xk.copy()))
print("iterations recorded:", len(trace) > 3)
