import numpy as np

INF = float("inf")
names = ["A", "B", "C", "D"]
w = np.array([[0, 3, INF, 7], [8, 0, 2, INF], [5, INF, 0, 1], [2, INF, INF, 0]])


def floyd_warshall(w):
    d = w.copy()
    for k in range(len(d)):
        d = np.minimum(d, d[:, [k]] + d[[k], :])
    return d


print(floyd_warshall(w).astype(int))


def pagerank(adj, damping=0.85, tol=1e-10):
    n = len(adj)
    out = adj.sum(axis=1, keepdims=True)
    m = np.where(out > 0, adj / np.where(out == 0, 1, out), 1 / n)
    r = np.full(n, 1 / n)
    for it in range(1000):
        new = (1 - damping) / n + damping * r @ m
        if np.abs(new - r).sum() < tol:
            return new, it
        r = new


adj = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0]], dtype=float)
rank, iterations = pagerank(adj)
for i in np.argsort(-rank):
    print(names[i], f"{rank[i]:.4f}")
print("sum", rank.sum().round(6), "converged", iterations < 200)
closure = np.linalg.matrix_power((adj > 0).astype(int) + np.eye(4, dtype=int), 4) > 0
print(closure.astype(int).tolist())
