import numpy as np
import matplotlib.pyplot as plt
from matplotlib import cm


def f(p):
    x, y = p
    return (x ** 2 + y - 11) ** 2 / 50 + (x + y ** 2 - 7) ** 2 / 50


def numeric_grad(func, p, h=1e-6):
    p = np.asarray(p, float)
    grad = np.zeros_like(p)
    for i in range(p.size):
        e = np.zeros_like(p)
        e[i] = h
        grad[i] = (func(p + e) - func(p - e)) / (2 * h)
    return grad


def descend(start, optimizer="sgd", lr=0.05, steps=200):
    p, v, path = np.array(start, float), np.zeros(2), []
    m, s = np.zeros(2), np.zeros(2)
    for t in range(1, steps + 1):
        path.append(p.copy())
        g = numeric_grad(f, p)
        if optimizer == "momentum":
            v = 0.9 * v - lr * g
            p = p + v
        elif optimizer == "adam":
            m, s = 0.9 * m + 0.1 * g, 0.999 * s + 0.001 * g ** 2
            p = p - 4 * lr * (m / (1 - 0.9 ** t)) / (np.sqrt(s / (1 - 0.999 ** t)) + 1e-8)
        else:
            p = p - lr * g
        if np.linalg.norm(g) < 1e-5:
            break
    return np.array(path)


xx, yy = np.meshgrid(np.linspace(-5, 5, 100), np.linspace(-5, 5, 100))
fig = plt.figure(figsize=(10, 4))
ax1 = fig.add_subplot(121)
ax1.contour(xx, yy, f((xx, yy)), levels=np.logspace(-1, 2, 12), cmap=cm.viridis)
ax2 = fig.add_subplot(122, projection="3d")
ax2.plot_surface(xx, yy, f((xx, yy)), cmap="coolwarm", alpha=0.7)
for name in ("sgd", "momentum", "adam"):
    path = descend((0.5, -0.5), name)
    ax1.plot(path[:, 0], path[:, 1], ".-", ms=3, label=f"{name} ({len(path)})")
    print(f"{name:<9} f={f(path[-1]):.4f} at {np.round(path[-1], 1)}")
ax1.legend()
plt.savefig("descent.png")
plt.close("all")
