import numpy as np
import matplotlib.pyplot as plt


def gradient_descent(X, y, lr=0.1, epochs=200, l2=0.0):
    w = np.zeros(X.shape[1])
    losses = []
    for _ in range(epochs):
        error = X @ w - y
        losses.append((error**2).mean() + l2 * (w**2).sum())
        w -= lr * (2 * X.T @ error / len(y) + 2 * l2 * w)
    return w, losses


def train_test_split(X, y, test_size=0.25, seed=0):
    idx = np.random.default_rng(seed).permutation(len(y))
    cut = int(len(y) * (1 - test_size))
    return X[idx[:cut]], X[idx[cut:]], y[idx[:cut]], y[idx[cut:]]


def r2_score(y, pred):
    return 1 - ((y - pred) ** 2).sum() / ((y - y.mean()) ** 2).sum()


rng = np.random.default_rng(42)
X = rng.uniform(-1, 1, (200, 3))
y = X @ [2.0, -1.0, 0.5] + 3 + rng.normal(0, 0.2, 200)
X = np.c_[np.ones(len(X)), X]
X_train, X_test, y_train, y_test = train_test_split(X, y)
w, losses = gradient_descent(X_train, y_train)
exact = np.linalg.lstsq(X_train, y_train, rcond=None)[0]
print("weights:", w.round(2), "exact:", exact.round(2))
print(f"R² train {r2_score(y_train, X_train @ w):.3f}, test {r2_score(y_test, X_test @ w):.3f}")
for l2 in (0, 0.1, 1.0):
    print("l2", l2, "norm %.3f" % np.linalg.norm(gradient_descent(X_train, y_train, l2=l2)[0][1:]))
plt.semilogy(losses)
plt.xlabel("epoch"); plt.ylabel("loss"); plt.grid(alpha=0.3)
plt.savefig("loss.png")
print("loss decreased:", losses[-1] < losses[0], f"{losses[0]:.2f} -> {losses[-1]:.3f}")
