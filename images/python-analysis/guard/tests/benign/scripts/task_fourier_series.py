import numpy as np
import matplotlib.pyplot as plt

x = np.linspace(-np.pi, np.pi, 400)


def square(x):
    return np.sign(np.sin(x))


def partial_sum(x, n):
    k = np.arange(1, n + 1, 2)
    return (4 / np.pi) * (np.sin(np.outer(x, k)) / k).sum(axis=1)


fig, axes = plt.subplots(2, 2, sharex=True, sharey=True, figsize=(8, 6))
for ax, n in zip(axes.flat, (1, 3, 9, 51)):
    approx = partial_sum(x, n)
    ax.plot(x, square(x), "k", lw=0.7)
    ax.plot(x, approx)
    ax.set_title(f"n = {n}")
    print(f"n={n:>2}: rms {np.sqrt(np.mean((approx - square(x)) ** 2)):.3f}, overshoot {approx.max() - 1:.3f}")
fig.supxlabel("x")
fig.supylabel("f(x)")
fig.savefig("fourier.png")

signal = np.array([1, 2, 3, 4, 3, 2, 1, 0], dtype=float)


def dft(a):
    n = len(a)
    k = np.arange(n)
    return np.exp(-2j * np.pi * np.outer(k, k) / n) @ a


print(np.allclose(dft(signal), np.fft.fft(signal)), np.abs(np.fft.rfft(signal)).round(3))
print(np.fft.fftfreq(8, 0.5), np.fft.fftshift(np.arange(4)), np.allclose(np.fft.ifft(np.fft.fft(signal)).real, signal))
poly = np.polynomial.Polynomial.fit(x, np.sin(x), 5)
print(poly.convert().coef.round(3), np.poly1d([1, -3, 2]).roots, np.polyval([1, 0, -1], 3), np.roots([1, 0, 1]))
