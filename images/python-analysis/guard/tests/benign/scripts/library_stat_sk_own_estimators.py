# # Own estimators that fit into scikit-learn
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, ClusterMixin, MetaEstimatorMixin, clone, is_classifier, is_regressor
from sklearn.utils.validation import check_X_y, check_array, check_is_fitted
from sklearn.utils.multiclass import unique_labels, check_classification_targets
from sklearn.utils.metaestimators import available_if
from sklearn.model_selection import cross_val_score, GridSearchCV, RandomizedSearchCV, ShuffleSplit
from sklearn.ensemble import BaggingClassifier, VotingClassifier, StackingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multioutput import MultiOutputRegressor
from sklearn.metrics import accuracy_score, r2_score
from scipy import stats, optimize
import statsmodels.api as sm

class QuadraticBayes(ClassifierMixin, BaseEstimator):
    """Gaussian classes with shrunken covariances."""
    def __init__(self, shrink=.1):
        self.shrink = shrink

    def fit(self, X, y):
        X, y = check_X_y(X, y)
        check_classification_targets(y)
        self.classes_ = unique_labels(y)
        self.means_, self.covs_, self.priors_ = [], [], []
        for k in self.classes_:
            Z = X[y == k]
            S = np.cov(Z, rowvar=False)
            self.means_.append(Z.mean(0))
            self.covs_.append((1 - self.shrink) * S + self.shrink * np.trace(S) / len(S) * np.eye(len(S)))
            self.priors_.append(len(Z) / len(X))
        self.n_features_in_ = X.shape[1]
        return self

    def _joint(self, X):
        return np.column_stack([stats.multivariate_normal.logpdf(X, m, c) + np.log(p) for m, c, p in zip(self.means_, self.covs_, self.priors_)])

    def predict_proba(self, X):
        check_is_fitted(self)
        J = self._joint(check_array(X))
        P = np.exp(J - J.max(1, keepdims=True))
        return P / P.sum(1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(1)]

class StatsmodelsRegressor(RegressorMixin, BaseEstimator):
    def __init__(self, family=None, fit_intercept=True):
        self.family, self.fit_intercept = family, fit_intercept
    def fit(self, X, y, sample_weight=None):
        Z = sm.add_constant(np.asarray(X), has_constant="add") if self.fit_intercept else X
        self.result_ = sm.GLM(y, Z, family=self.family, freq_weights=sample_weight).fit()
        self.coef_ = self.result_.params[1:]
        return self
    def predict(self, X):
        Z = sm.add_constant(np.asarray(X), has_constant="add") if self.fit_intercept else X
        return self.result_.predict(Z)

class LogTarget(MetaEstimatorMixin, RegressorMixin, BaseEstimator):
    def __init__(self, regressor):
        self.regressor = regressor
    def fit(self, X, y, **kw):
        self.regressor_ = clone(self.regressor).fit(X, np.log(y), **kw)
        return self
    def predict(self, X):
        return np.exp(self.regressor_.predict(X))
    @available_if(lambda self: hasattr(self.regressor, "coef_") or hasattr(self, "regressor_"))
    def weights(self):
        return self.regressor_.coef_

class Leader(ClusterMixin, BaseEstimator):
    _parameter_constraints = {"radius": [float]}
    def __init__(self, radius=1.):
        self.radius = radius
    def fit(self, X, y=None):
        self.leaders_, self.labels_ = [], []
        for x in np.asarray(X):
            d = [np.linalg.norm(x - l) for l in self.leaders_]
            if not d or min(d) > self.radius:
                self.leaders_.append(x); d.append(0)
            self.labels_.append(int(np.argmin(d)))
        self.labels_ = np.array(self.labels_)
        return self

rng = np.random.default_rng(77)
X = np.vstack([rng.multivariate_normal(m, c, 120) for m, c in (([0, 0], [[1, .6], [.6, 1]]), ([1.5, 1], [[.5, -.3], [-.3, 1]]))])
y = np.repeat(["well", "ill"], 120)
qb = QuadraticBayes().fit(X, y)
print(np.round(qb.score(X, y), 3), np.round(qb.predict_proba(X[:2]), 3), is_classifier(qb), qb.classes_)
print(cross_val_score(QuadraticBayes(), X, y, cv=5).mean().round(2))
g = GridSearchCV(QuadraticBayes(), {"shrink": [0, .1, .5, .9]}, cv=5, return_train_score=True).fit(X, y)
print(pd.DataFrame(g.cv_results_)[["param_shrink", "mean_test_score", "rank_test_score"]].round(3))
print(np.round(BaggingClassifier(QuadraticBayes(), 5, random_state=1).fit(X, y).score(X, y), 2))
print(np.round(VotingClassifier([("q", QuadraticBayes()), ("l", LogisticRegression())], voting="soft").fit(X, y).score(X, y), 2))
mu = np.exp(.5 + .4 * X[:, 0])
cnt = rng.poisson(mu)
po = StatsmodelsRegressor(sm.families.Poisson())
print(cross_val_score(po, X, cnt, cv=3).round(2), is_regressor(po), po.fit(X, cnt).coef_.round(2))
lt = LogTarget(LinearRegression()).fit(X, mu * rng.lognormal(0, .1, len(mu)))
print(lt.weights().round(2), lt.score(X, mu).round(2), lt)
st = StackingRegressor([("glm", StatsmodelsRegressor()), ("lin", LinearRegression())], final_estimator=LinearRegression(), cv=3).fit(X, mu)
print(st.score(X, mu).round(2), MultiOutputRegressor(StatsmodelsRegressor()).fit(X, np.c_[mu, cnt]).predict(X[:1]).round(2))
print(len(set(Leader(1.5).fit_predict(X))), Leader().get_params())
rs = RandomizedSearchCV(QuadraticBayes(), {"shrink": stats.uniform(0, 1)}, n_iter=4, random_state=2, cv=ShuffleSplit(2, random_state=1)).fit(X, y)
print(rs.best_params_["shrink"] < 1)
