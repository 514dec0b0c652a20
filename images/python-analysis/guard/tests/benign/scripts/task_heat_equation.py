import numpy as np
import matplotlib.pyplot as plt


def solve(nx=51, nt=400, alpha=0.01, length=1.0):
    dx = length / (nx - 1)
    dt = 0.4 * dx**2 / alpha
    x = np.linspace(0, length, nx)
    u = np.sin(np.pi * x) + 0.5 * np.sin(3 * np.pi * x)
    snapshots = {0: u.copy()}
    for n in range(1, nt + 1):
        u[1:-1] += alpha * dt / dx**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[-1] = 0
        if n % 100 == 0:
            snapshots[n] = u.copy()
    return x, dt, snapshots


x, dt, snapshots = solve()
fig, ax = plt.subplots()
for n, u in snapshots.items():
    ax.plot(x, u, label=f"t = {n * dt:.2f}")
    exact = np.exp(-0.01 * np.pi**2 * n * dt) * np.sin(np.pi * x) + 0.5 * np.exp(-0.09 * np.pi**2 * n * dt) * np.sin(3 * np.pi * x)
    print(f"step {n:>3}: max {u.max():.4f}, error {np.abs(u - exact).max():.1e}")
ax.legend()
ax.set_title("1D heat equation")
fig.savefig("heat.png")

grid = np.zeros((30, 30))
grid[0] = 100
for i in range(500):
    new = grid.copy()
    new[1:-1, 1:-1] = 0.25 * (grid[2:, 1:-1] + grid[:-2, 1:-1] + grid[1:-1, 2:] + grid[1:-1, :-2])
    change = np.abs(new - grid).max()
    grid = new
print("Laplace centre: %.3f, last change %.4f" % (grid[15, 15], change))
