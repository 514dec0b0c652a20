"""Bird feeding by hour on a clock face."""
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(21)
hours = rng.vonmises(0.8, 2.2, 400) % (2 * np.pi)
counts, edges = np.histogram(hours, bins=24, range=(0, 2 * np.pi))
fig, ax = plt.subplots(subplot_kw={"projection": "polar"}, figsize=(5, 5))
bars = ax.bar(edges[:-1], counts, width=np.diff(edges), align="edge", edgecolor="white")
for value, bar in zip(counts, bars):
    bar.set_facecolor(plt.cm.cividis(value / counts.max()))
    bar.set_alpha(0.85)
ax.set_theta_zero_location("N")
ax.set_theta_direction(-1)
ax.set_xticks(np.linspace(0, 2 * np.pi, 8, endpoint=False))
ax.set_xticklabels([f"{h:02d}h" for h in range(0, 24, 3)])
ax.set_rlabel_position(135)
mean = np.angle(np.exp(1j * hours).mean()) % (2 * np.pi)
length = np.abs(np.exp(1j * hours).mean())
ax.annotate("", xy=(mean, length * counts.max()), xytext=(0, 0), arrowprops={"arrowstyle": "->", "color": "r", "lw": 2})
ax.plot(np.linspace(mean - 0.3, mean + 0.3, 30), np.full(30, counts.max() * 1.05), "r", lw=3, solid_capstyle="round")
ax.set_rmax(counts.max() * 1.15)
ax.grid(ls=":", alpha=0.6)
ax.set_title("visits", pad=18, loc="left")
fig.savefig("clock.png")
print(counts.sum(), round(mean, 3), round(length, 3), ax.get_theta_direction(), ax.get_rmax() > 0)
