import matplotlib.pyplot as plt
import numpy as np

species = ("Adelie", "Chinstrap", "Gentoo")
means = {"Bill depth": (18.35, 18.43, 14.98), "Bill length": (38.79, 48.83, 47.50), "Flipper": (189.95, 195.82, 217.19)}
x = np.arange(len(species))
width = 0.25

fig, ax = plt.subplots(layout="constrained")
for multiplier, (attribute, measurement) in enumerate(means.items()):
    rects = ax.bar(x + width * multiplier, measurement, width, label=attribute)
    ax.bar_label(rects, padding=3, fmt="%.1f")
ax.set_ylabel("Length (mm)")
ax.set_xticks(x + width, species)
ax.legend(loc="upper left", ncols=3)
ax.set_ylim(0, 250)
plt.savefig("grouped.png")

fig, ax = plt.subplots()
bottom = np.zeros(3)
for name, values in means.items():
    p = ax.barh(species, values, left=bottom, label=name, hatch="/" if name == "Flipper" else None)
    bottom += values
    ax.bar_label(p, label_type="center")
ax.invert_yaxis()
ax.legend()
fig.savefig("stacked.pdf")
print(dict(zip(species, bottom.round(2).tolist())), len(ax.containers), [t.get_text() for t in ax.get_legend().get_texts()])
