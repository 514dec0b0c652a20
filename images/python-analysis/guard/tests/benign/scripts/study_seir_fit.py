import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import curve_fit
import matplotlib.pyplot as plt

N = 100_000
days = np.arange(0, 60)


def seir(t, y, beta, sigma, gamma):
    s, e, i, r = y
    new = beta * s * i / N
    return [-new, new - sigma * e, sigma * e - gamma * i, gamma * i]


def prevalence(t, beta, gamma):
    sol = solve_ivp(seir, (0, days[-1]), [N - 20, 10, 10, 0], t_eval=t, args=(beta, 1 / 4, gamma), rtol=1e-8)
    return sol.y[2]


rng = np.random.default_rng(19)
observed = rng.poisson(prevalence(days, 0.55, 0.18))
(beta, gamma), cov = curve_fit(prevalence, days, observed, p0=[0.4, 0.2], bounds=([0.05, 0.05], [2, 1]))
se = np.sqrt(np.diag(cov))
print(f"beta  = {beta:.3f} ± {1.96 * se[0]:.3f}")
print(f"gamma = {gamma:.3f} ± {1.96 * se[1]:.3f}")
print(f"R0    = {beta / gamma:.2f}")
peak = int(prevalence(days, beta, gamma).argmax())
print("peak day:", peak)

sol = solve_ivp(seir, (0, 200), [N - 20, 10, 10, 0], args=(beta, 0.25, gamma), dense_output=True)
print("final size: %.1f%%" % (100 * sol.sol(200)[3] / N))
fig, ax = plt.subplots()
ax.plot(days, observed, ".", label="observed")
ax.plot(days, prevalence(days, beta, gamma), label="fit")
ax2 = ax.twinx()
ax2.plot(days, sol.sol(days)[0] / N * 100, color="grey", ls=":")
ax2.set_ylabel("Susceptible (%)")
ax.legend(); ax.set_xlabel("Day"); ax.set_ylabel("Infectious")
fig.savefig(OUTPUT / "seir.png")
