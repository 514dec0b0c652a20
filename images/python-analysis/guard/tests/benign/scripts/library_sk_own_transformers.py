# # Own transformers: winsorising, target means, lab ratios
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin, OneToOneFeatureMixin, clone
from sklearn.utils.validation import check_is_fitted, check_array, check_X_y, _check_feature_names_in, _num_samples
from sklearn.utils import check_random_state
from sklearn.pipeline import make_pipeline, FeatureUnion
from sklearn.compose import make_column_transformer
from sklearn.linear_model import Ridge, LinearRegression
from sklearn.model_selection import cross_val_score, GridSearchCV, KFold
from sklearn.preprocessing import StandardScaler
from sklearn.exceptions import NotFittedError

class Winsoriser(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Clips each column at its quantiles."""
    def __init__(self, low=.01, high=.99):
        self.low = low
        self.high = high

    def fit(self, X, y=None):
        X = self._validate_data(X, dtype=float, force_all_finite="allow-nan")
        self.bounds_ = np.nanquantile(X, [self.low, self.high], axis=0)
        return self

    def transform(self, X):
        check_is_fitted(self, "bounds_")
        X = self._validate_data(X, dtype=float, reset=False, force_all_finite="allow-nan")
        return np.clip(X, *self.bounds_)

    def _more_tags(self):
        return {"allow_nan": True}

class TargetMean(BaseEstimator, TransformerMixin):
    def __init__(self, smooth=10.):
        self.smooth = smooth
    def fit(self, X, y):
        X = pd.DataFrame(X)
        self.prior_ = float(np.mean(y))
        self.maps_ = {}
        for c in X.columns:
            g = pd.Series(np.asarray(y), index=X.index).groupby(X[c])
            self.maps_[c] = (g.sum() + self.smooth * self.prior_) / (g.count() + self.smooth)
        self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        self.n_features_in_ = X.shape[1]
        return self
    def transform(self, X):
        check_is_fitted(self)
        return pd.DataFrame(X).apply(lambda s: s.map(self.maps_[s.name])).fillna(self.prior_)
    def get_feature_names_out(self, input_features=None):
        return np.asarray([f"{c}_mean" for c in self.feature_names_in_], dtype=object)

class Ratio(BaseEstimator, TransformerMixin):
    def __init__(self, pairs=(("a", "b"),), log=True):
        self.pairs, self.log = pairs, log
    def fit(self, X, y=None):
        self.is_fitted_ = True
        return self
    def __sklearn_is_fitted__(self):
        return hasattr(self, "is_fitted_")
    def transform(self, X):
        out = pd.DataFrame({f"{p}/{q}": X[p] / X[q] for p, q in self.pairs}, index=X.index)
        return np.log(out) if self.log else out
    def get_feature_names_out(self, names=None):
        return [f"{p}/{q}" for p, q in self.pairs]

rng = check_random_state(3)
n = 400
d = pd.DataFrame({"ast": rng.lognormal(3.2, .4, n), "alt": rng.lognormal(3.1, .5, n), "age": rng.normal(50, 12, n), "site": rng.choice(list("ABCDEF"), n)})
d.loc[:3, "ast"] = 4000
y = np.log(d.ast.clip(upper=200) / d.alt) * 3 + d.site.map(dict(zip("ABCDEF", range(6)))) + .02 * d.age + rng.normal(0, .5, n)

ct = make_column_transformer((make_pipeline(Winsoriser(.02, .98), StandardScaler()), ["ast", "alt", "age"]), (TargetMean(), ["site"]), (Ratio((("ast", "alt"),)), ["ast", "alt"]))
pipe = make_pipeline(ct, Ridge())
print(cross_val_score(pipe, d, y, cv=KFold(4, shuffle=True, random_state=1)).round(2))
gs = GridSearchCV(pipe, {"columntransformer__targetmean__smooth": [1, 10, 100], "columntransformer__pipeline__winsoriser__high": [.9, .99], "ridge__alpha": [.1, 1]}, cv=3)
gs.fit(d, y)
print(gs.best_params_, round(gs.best_score_, 2))
print(ct.fit(d, y).get_feature_names_out())
w = Winsoriser(high=.9)
print(w, clone(w).get_params(), w.set_params(low=0).low)
try:
    w.transform(d[["ast"]])
except NotFittedError as e:
    print(type(e).__name__, str(e)[:40])
print(w.set_output(transform="pandas").fit_transform(d[["ast", "alt"]]).describe().round(1).loc[["min", "max"]])
print(w._get_tags()["allow_nan"] if hasattr(w, "_get_tags") else "")
print(Ratio().__sklearn_is_fitted__(), FeatureUnion([("w", Winsoriser()), ("s", StandardScaler())]).fit_transform(d[["ast", "alt"]]).shape)
