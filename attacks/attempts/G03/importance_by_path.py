"""scikit-learn reads the path of attributes that importance_getter names."""
import numpy as np
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LinearRegression

got = []


class Model(LinearRegression):
    def fit(self, X, y):
        return super().fit(X, y)


def keep(value, *args, **options):
    got.append(value)
    return np.ones(1)


X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 2]
try:
    SelectFromModel(Model(), importance_getter="fit.__globals__").fit(X, y).get_support()
except AttributeError as error:
    # A dict has no ndim: with the guard the path ends before it.
    if "'dict' object" in str(error):
        print("ESCAPED:importance_by_path")
