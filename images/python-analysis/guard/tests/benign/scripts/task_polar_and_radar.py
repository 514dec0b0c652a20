import numpy as np
import matplotlib.pyplot as plt

labels = ["Speed", "Power", "Range", "Comfort", "Price"]
cars = {"A": [4, 3, 5, 2, 4], "B": [3, 5, 2, 4, 3]}
angles = np.linspace(0, 2 * np.pi, len(labels), endpoint=False).tolist()
angles += angles[:1]

fig, ax = plt.subplots(figsize=(6, 6), subplot_kw=dict(polar=True))
for name, values in cars.items():
    values = values + values[:1]
    ax.plot(angles, values, linewidth=2, label=name)
    ax.fill(angles, values, alpha=0.25)
ax.set_thetagrids(np.degrees(angles[:-1]), labels)
ax.set_ylim(0, 5)
ax.set_theta_offset(np.pi / 2)
ax.set_theta_direction(-1)
ax.legend(loc="upper right", bbox_to_anchor=(1.2, 1.1))
fig.savefig("radar.png", bbox_inches="tight")

rose = plt.figure().add_subplot(projection="polar")
directions = np.arange(0, 2 * np.pi, np.pi / 4)
speeds = [5, 7, 3, 2, 6, 8, 4, 3]
bars = rose.bar(directions, speeds, width=np.pi / 5, bottom=1)
for s, bar in zip(speeds, bars):
    bar.set_facecolor(plt.cm.viridis(s / 10))
plt.savefig("rose.png")
print(type(ax).__name__, ax.get_theta_direction(), len(bars))
for name, values in cars.items():
    area = 0.5 * np.sin(2 * np.pi / 5) * sum(a * b for a, b in zip(values, values[1:] + values[:1]))
    print(name, "area: %.3f" % area)
