import importlib.util

available = {}
try:
    import numpy as np
    available["numpy"] = True
except ImportError:
    np = None
    available["numpy"] = False

try:
    import torch
except ImportError:
    torch = None
    print("torch is not installed, using numpy")

try:
    from sklearn.linear_model import LinearRegression
except ModuleNotFoundError:
    class LinearRegression:
        def fit(self, X, y):
            A = np.column_stack([np.ones(len(X)), X])
            self.intercept_, *coef = np.linalg.lstsq(A, y, rcond=None)[0]
            self.coef_ = np.array(coef)
            return self

        def predict(self, X):
            return self.intercept_ + X @ self.coef_

try:
    import tomllib
except ImportError:
    tomllib = None

X = np.arange(10.0).reshape(-1, 1)
y = 3 * X.ravel() + 1
model = LinearRegression().fit(X, y)
print("coef", model.coef_.round(6), "intercept", round(float(model.intercept_), 6))
print("prediction", model.predict(np.array([[20.0]])).round(3))
print(available, torch is None)
print("json installed:", importlib.util.find_spec("json") is not None)
if tomllib:
    print(tomllib.loads('[a]\nb = 1\nc = ["x", 2.5]'))
