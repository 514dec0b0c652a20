import numpy as np


class LogisticRegression:
    def __init__(self, l2=1e-6, max_iter=25):
        self.l2, self.max_iter = l2, max_iter

    def fit(self, X, y):
        X = np.c_[np.ones(len(X)), X]
        w = np.zeros(X.shape[1])
        for self.n_iter_ in range(1, self.max_iter + 1):
            p = 1 / (1 + np.exp(-X @ w))
            grad = X.T @ (y - p) - self.l2 * w
            hess = (X.T * (p * (1 - p))) @ X + self.l2 * np.eye(len(w))
            step = np.linalg.solve(hess, grad)
            w += step
            if np.abs(step).max() < 1e-10:
                break
        self.intercept_, self.coef_ = w[0], w[1:]
        return self

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-(self.intercept_ + X @ self.coef_)))
        return np.c_[1 - p, p]

    def predict(self, X):
        return (self.predict_proba(X)[:, 1] >= 0.5).astype(int)

    def score(self, X, y):
        return float((self.predict(X) == y).mean())


def kfold(n, k, seed=0):
    idx = np.random.default_rng(seed).permutation(n)
    for fold in np.array_split(idx, k):
        yield np.setdiff1d(idx, fold), fold


rng = np.random.default_rng(9)
X = rng.normal(size=(300, 2))
y = (X @ [1.5, -2.0] + 0.5 + rng.logistic(size=300) > 0).astype(int)
model = LogisticRegression().fit(X, y)
print("coef", model.coef_.round(2), "intercept %.2f" % model.intercept_, "iterations <= 10:", model.n_iter_ <= 10)
scores = [LogisticRegression().fit(X[tr], y[tr]).score(X[te], y[te]) for tr, te in kfold(300, 5)]
print("cv accuracy %.3f ± %.3f" % (np.mean(scores), np.std(scores)))
pred = model.predict(X)
cm = np.zeros((2, 2), int)
np.add.at(cm, (y, pred), 1)
precision, recall = cm[1, 1] / cm[:, 1].sum(), cm[1, 1] / cm[1].sum()
print(cm, f"precision {precision:.3f} recall {recall:.3f} F1 {2 * precision * recall / (precision + recall):.3f}")
