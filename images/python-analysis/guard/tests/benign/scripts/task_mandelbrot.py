import numpy as np
import matplotlib.pyplot as plt


def mandelbrot(h, w, max_iter=40):
    y, x = np.ogrid[-1.4:1.4:h * 1j, -2:0.8:w * 1j]
    c = x + y * 1j
    z = c.copy()
    divtime = max_iter + np.zeros(z.shape, dtype=int)
    for i in range(max_iter):
        z = z**2 + c
        diverge = z * np.conj(z) > 4
        now = diverge & (divtime == max_iter)
        divtime[now] = i
        z[diverge] = 2
    return divtime


m = mandelbrot(120, 160)
fig = plt.figure(figsize=(6, 4.5))
plt.imshow(m, cmap="twilight_shifted", extent=(-2, 0.8, -1.4, 1.4), origin="lower")
plt.axis("off")
plt.savefig("mandelbrot.png", dpi=80, bbox_inches="tight", pad_inches=0)
print("inside:", int((m == 40).sum()), "of", m.size)
small = mandelbrot(15, 48, 12)
chars = " .:-=+*#%@"
for row in small:
    print("".join(chars[min(v * len(chars) // 13, 9)] for v in row).rstrip())
