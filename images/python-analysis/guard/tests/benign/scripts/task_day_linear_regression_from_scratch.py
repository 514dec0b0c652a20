import numpy as np


class LinearRegression:
    """Ordinary least squares with an sklearn-like API."""

    def __init__(self, fit_intercept=True, l2=0.0):
        self.fit_intercept = fit_intercept
        self.l2 = l2
        self.coef_ = None
        self.intercept_ = 0.0

    def get_params(self):
        return {k: v for k, v in self.__dict__.items() if not k.endswith("_")}

    def _design(self, X):
        X = np.atleast_2d(np.asarray(X, dtype=float))
        return np.c_[np.ones(len(X)), X] if self.fit_intercept else X

    def fit(self, X, y):
        A = self._design(X)
        penalty = self.l2 * np.eye(A.shape[1])
        if self.fit_intercept:
            penalty[0, 0] = 0
        beta = np.linalg.solve(A.T @ A + penalty, A.T @ y)
        self.intercept_, self.coef_ = (beta[0], beta[1:]) if self.fit_intercept else (0.0, beta)
        return self

    def predict(self, X):
        if self.coef_ is None:
            raise RuntimeError(f"{self.__class__.__name__} is not fitted")
        return np.asarray(X) @ self.coef_ + self.intercept_

    def score(self, X, y):
        resid = y - self.predict(X)
        return 1 - (resid ** 2).sum() / ((y - y.mean()) ** 2).sum()

    def __repr__(self):
        params = ", ".join(f"{k}={v!r}" for k, v in self.get_params().items())
        return f"{type(self).__name__}({params})"


def train_test_split(X, y, test_size=0.25, seed=None):
    rng = np.random.default_rng(seed)
    idx = rng.permutation(len(X))
    cut = int(len(X) * (1 - test_size))
    return X[idx[:cut]], X[idx[cut:]], y[idx[:cut]], y[idx[cut:]]


def kfold(n, k):
    folds = np.array_split(np.arange(n), k)
    for i in range(k):
        yield np.concatenate([f for j, f in enumerate(folds) if j != i]), folds[i]


rng = np.random.default_rng(3)
X = rng.normal(size=(120, 3))
y = 2 + X @ np.array([1.5, -0.7, 0.0]) + rng.normal(scale=0.3, size=120)
X_train, X_test, y_train, y_test = train_test_split(X, y, seed=1)
model = LinearRegression()
try:
    model.predict(X_test)
except RuntimeError as e:
    print(e)
model.fit(X_train, y_train)
print(model, np.round(model.coef_, 2), round(model.intercept_, 2), f"R2={model.score(X_test, y_test):.3f}")
for l2 in (0, 1, 10, 100):
    scores = [LinearRegression(l2=l2).fit(X[a], y[a]).score(X[b], y[b]) for a, b in kfold(len(X), 5)]
    print(f"l2={l2:<4} cv R2 = {np.mean(scores):.3f} ± {np.std(scores):.3f}")
