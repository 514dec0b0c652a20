"""A contact network drawn by hand: force layout, curved edges, matrix view."""
import collections
import itertools
import heapq
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.patches import ConnectionPatch, FancyArrowPatch
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

Edge = collections.namedtuple("Edge", "a b weight")
rng = np.random.default_rng(50)
nodes = [f"ward{k}" for k in range(14)]
edges = [Edge(a, b, int(rng.integers(1, 9))) for a, b in itertools.combinations(range(14), 2) if rng.random() < 0.2]
pos = rng.uniform(-1, 1, (14, 2))
for _ in range(150):
    delta = pos[:, None] - pos[None]
    dist = np.linalg.norm(delta, axis=2) + np.eye(14)
    force = (delta / dist[..., None] ** 3).sum(axis=1) * 0.02
    for e in edges:
        pull = (pos[e.b] - pos[e.a]) * 0.03
        force[e.a] += pull
        force[e.b] -= pull
    pos += force.clip(-0.1, 0.1)
matrix = coo_matrix(([e.weight for e in edges], zip(*[(e.a, e.b) for e in edges])), shape=(14, 14)).tocsr() if False else coo_matrix(([e.weight for e in edges], ([e.a for e in edges], [e.b for e in edges])), shape=(14, 14))
count, label = connected_components(matrix, directed=False)
tree = minimum_spanning_tree(matrix)
fig, (ax, mx) = plt.subplots(1, 2, figsize=(9, 4))
segments = LineCollection(pos[[[e.a, e.b] for e in edges]], array=[e.weight for e in edges], cmap="Greys", lw=[e.weight / 3 for e in edges])
ax.add_collection(segments)
degree = np.bincount(np.ravel([[e.a, e.b] for e in edges]), minlength=14)
ax.add_collection(EllipseCollection(0.1 + degree / 40, 0.1 + degree / 40, 0, units="x", offsets=pos, offset_transform=ax.transData, facecolors=plt.cm.tab10(label)))
top = heapq.nlargest(2, range(14), key=degree.__getitem__)
ax.add_patch(FancyArrowPatch(pos[top[0]], pos[top[1]], connectionstyle="arc3,rad=.4", arrowstyle="Simple,tail_width=0.5,head_width=4,head_length=8", color="r"))
for k, p in enumerate(pos):
    ax.annotate(nodes[k], p, fontsize=5, ha="center")
ax.autoscale()
ax.set_aspect("equal", adjustable="datalim")
dense = matrix.toarray() + matrix.toarray().T
mx.spy(dense, markersize=3, precision=3)
mx.matshow(np.ma.masked_equal(dense, 0), cmap="viridis_r", alpha=0.5)
fig.add_artist(ConnectionPatch(pos[top[0]], (top[0], top[0]), "data", "data", axesA=ax, axesB=mx, color="orange"))
fig.savefig("net.png")
print(count, degree.tolist(), tree.nnz, Edge._fields, segments.get_array().sum())
