"""A small map by hand: polygons, graticule, scale bar, north arrow, projections."""
import json
import matplotlib.patheffects as pe
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.font_manager import FontProperties
from mpl_toolkits.axes_grid1.anchored_artists import AnchoredSizeBar

rng = np.random.default_rng(90)

def island(cx, cy, r, k=24):
    t = np.linspace(0, 2 * np.pi, k, endpoint=False)
    rr = r * (1 + 0.2 * rng.normal(size=k)).clip(0.6)
    return np.c_[cx + rr * np.cos(t), cy + rr * np.sin(t)]

features = {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": n, "pop": int(p)}, "geometry": {"type": "Polygon", "coordinates": [island(*c).round(3).tolist()]}}
            for n, p, c in [("Ola", 1200, (2, 3, 1)), ("Rik", 300, (5, 5, 0.7)), ("Umbe", 4100, (7, 2, 1.3))]]}
parsed = json.loads(json.dumps(features))
polys = [np.array(f["geometry"]["coordinates"][0]) for f in parsed["features"]]
pops = np.array([f["properties"]["pop"] for f in parsed["features"]])
fig, ax = plt.subplots(figsize=(6, 4.5))
ax.set_facecolor("#dbe9f4")
land = PolyCollection(polys, array=np.log10(pops), cmap="YlOrBr", edgecolors="0.3", linewidths=0.8)
ax.add_collection(land)
routes = LineCollection([[polys[i].mean(0), polys[j].mean(0)] for i, j in ((0, 1), (1, 2), (0, 2))], linestyles="dashed", colors="navy", linewidths=[0.5, 1, 2])
ax.add_collection(routes)
for f, p in zip(parsed["features"], polys):
    ax.text(*p.mean(0), f["properties"]["name"], ha="center", fontproperties=FontProperties(weight="bold", size=9),
            path_effects=[pe.withStroke(linewidth=3, foreground="w"), pe.Normal()])
    area = 0.5 * abs(np.dot(p[:, 0], np.roll(p[:, 1], 1)) - np.dot(p[:, 1], np.roll(p[:, 0], 1)))
    print(f["properties"]["name"], round(area, 2))
ax.add_artist(AnchoredSizeBar(ax.transData, 2, "2 km", "lower left", pad=0.4, frameon=False, size_vertical=0.05))
ax.annotate("N", xy=(0.95, 0.95), xytext=(0.95, 0.8), xycoords="axes fraction", ha="center", arrowprops=dict(facecolor="k", width=3, headwidth=9))
ax.autoscale_view()
ax.set(xlim=(0, 9), ylim=(0, 7), aspect="equal")
ax.grid(color="w", lw=0.5)
ax.set_axisbelow(True)
fig.colorbar(land, format="$10^{%.1f}$", label="people")
fig.savefig(OUTPUT / "map.svg")
sky = plt.figure().add_subplot(projection="mollweide")
sky.scatter(rng.uniform(-np.pi, np.pi, 50), np.arcsin(rng.uniform(-1, 1, 50)), s=4)
sky.grid(True)
sky.figure.savefig("sky.png")
print(land.get_array().round(2), sky.name, routes.get_linewidths())
