import numpy as np
import matplotlib.pyplot as plt
from scipy.integrate import odeint, solve_ivp


def pendulum(state, t, b, c):
    theta, omega = state
    return [omega, -b * omega - c * np.sin(theta)]


def rk4(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


t = np.linspace(0, 10, 101)
sol = odeint(pendulum, [np.pi - 0.1, 0.0], t, args=(0.25, 5.0))
print("angle at 10 s: %.4f" % sol[-1, 0])


def lorenz(t, s, sigma=10, rho=28, beta=8 / 3):
    x, y, z = s
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


y = np.array([1.0, 1.0, 1.0])
traj = [y]
for i in range(1500):
    y = rk4(lorenz, y, i * 0.01, 0.01)
    traj.append(y)
traj = np.array(traj)
print("bounds:", traj.min(axis=0).round(0), traj.max(axis=0).round(0))
ref = solve_ivp(lorenz, (0, 2), [1, 1, 1], rtol=1e-9, atol=1e-9)
print("agrees at t=2:", bool(np.allclose(ref.y[:, -1], traj[200], atol=1e-2)))
fig = plt.figure(figsize=(10, 4))
ax1 = fig.add_subplot(121)
ax1.plot(t, sol[:, 0], "b", label=r"$\theta(t)$")
ax1.plot(t, sol[:, 1], "g", label=r"$\omega(t)$")
ax1.legend(loc="best")
ax2 = fig.add_subplot(122, projection="3d")
ax2.plot(*traj.T, lw=0.4)
fig.savefig("ode.png")
