import numpy as np

def kmeans(x, k, seed=0, rounds=50):
    rng = np.random.default_rng(seed)
    centres = x[rng.choice(len(x), k, replace=False)]
    for _ in range(rounds):
        distance = np.linalg.norm(x[:, None, :] - centres[None, :, :], axis=2)
        label = distance.argmin(axis=1)
        new = np.array([x[label == j].mean(axis=0) if np.any(label == j) else centres[j] for j in range(k)])
        if np.allclose(new, centres):
            break
        centres = new
    return label, centres

x = visits[["sbp", "dbp"]].dropna().to_numpy(dtype=float)
x = (x - x.mean(axis=0)) / x.std(axis=0)
label, centres = kmeans(x, 3)
print(np.bincount(label), centres.round(2).tolist())
inertia = [float(((x - kmeans(x, k)[1][kmeans(x, k)[0]]) ** 2).sum()) for k in (1, 2, 3)]
print(all(a > b for a, b in zip(inertia, inertia[1:])))
