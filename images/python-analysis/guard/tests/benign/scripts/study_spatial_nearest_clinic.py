import numpy as np
import pandas as pd
from scipy.spatial import cKDTree, distance, Voronoi
import matplotlib.pyplot as plt

R = 6371.0


def haversine(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = map(np.radians, (lat1, lon1, lat2, lon2))
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * R * np.arcsin(np.sqrt(a))


rng = np.random.default_rng(85)
clinics = pd.DataFrame({"clinic": list("ABCDE"), "lat": 52 + rng.uniform(0, 1, 5), "lon": 13 + rng.uniform(0, 1.5, 5)})
homes = pd.DataFrame({"lat": 52 + rng.uniform(0, 1, 300), "lon": 13 + rng.uniform(0, 1.5, 300)})

dist = haversine(homes["lat"].values[:, None], homes["lon"].values[:, None], clinics["lat"].values, clinics["lon"].values)
homes["nearest"] = clinics["clinic"].to_numpy()[dist.argmin(axis=1)]
homes["km"] = dist.min(axis=1)
print(homes.groupby("nearest")["km"].agg(["count", "median", "max"]).round(1))
print("within 20 km: {:.1%}".format((homes["km"] <= 20).mean()))

tree = cKDTree(homes[["lat", "lon"]])
pairs = tree.query_pairs(r=0.02)
print("close pairs:", len(pairs))
d = distance.pdist(homes[["lat", "lon"]])
print("median pairwise distance in degrees: %.3f" % np.median(d))
vor = Voronoi(clinics[["lon", "lat"]].to_numpy())
print("Voronoi vertices:", vor.vertices.shape)

sc = plt.scatter(homes["lon"], homes["lat"], c=homes["km"], cmap="viridis", s=10)
plt.plot(clinics["lon"], clinics["lat"], "r^", ms=10)
for _, c in clinics.iterrows():
    plt.annotate(c["clinic"], (c["lon"], c["lat"]), textcoords="offset points", xytext=(5, 5))
plt.colorbar(sc, label="km to the nearest clinic")
plt.savefig(OUTPUT / "map.png")
