"""A power simulation, an IPW analysis, a spline dose-response, and custom classes around scikit-learn and statsmodels."""
import warnings
from dataclasses import dataclass
import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf
from patsy import dmatrix, cr, bs, build_design_matrices
from scipy import stats, optimize, special
from sklearn.base import BaseEstimator, RegressorMixin, ClassifierMixin, TransformerMixin, clone
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import KFold, cross_val_predict, GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted, check_X_y, check_array

class SMWrapper(BaseEstimator, RegressorMixin):
    """statsmodels as an estimator"""

    def __init__(self, model_class=sm.OLS, fit_intercept=True, family=None):
        self.model_class, self.fit_intercept, self.family = (model_class, fit_intercept, family)

    def fit(self, X, y):
        X, y = check_X_y(X, y)
        X = sm.add_constant(X, has_constant='add') if self.fit_intercept else X
        self.model_ = self.model_class(y, X, **{'family': self.family} if self.family else {})
        self.results_ = self.model_.fit()
        return self

    def predict(self, X):
        check_is_fitted(self, 'results_')
        X = check_array(X)
        return self.results_.predict(sm.add_constant(X, has_constant='add') if self.fit_intercept else X)

    def __getattr__(self, name):
        if name.startswith('_') or name == 'results_':
            raise AttributeError(name)
        return getattr(self.__dict__['results_'], name)

class Spline(TransformerMixin, BaseEstimator):

    def __init__(self, df=4):
        self.df = df

    def fit(self, X, y=None):
        self.info_ = dmatrix(f'cr(x, df={self.df}) - 1', {'x': np.ravel(X)}).design_info
        return self

    def transform(self, X):
        return np.asarray(build_design_matrices([self.info_], {'x': np.ravel(X)})[0])

class Firth(ClassifierMixin, BaseEstimator):

    def __init__(self, max_iter=50, tol=1e-06):
        self.max_iter, self.tol = (max_iter, tol)

    def fit(self, X, y):
        X = np.column_stack([np.ones(len(X)), X])
        b = np.zeros(X.shape[1])
        self.classes_ = np.unique(y)
        for self.n_iter_ in range(self.max_iter):
            p = special.expit(X @ b)
            W = p * (1 - p)
            XW = X * np.sqrt(W)[:, None]
            I = XW.T @ XW
            H = np.einsum('ij,jk,ik->i', XW, np.linalg.inv(I), XW)
            step = np.linalg.solve(I, X.T @ (y - p + H * (0.5 - p)))
            b = b + step
            if np.abs(step).max() < self.tol:
                break
        self.coef_, self.intercept_ = (b[1:], b[0])
        return self

    def predict_proba(self, X):
        p = special.expit(self.intercept_ + X @ self.coef_)
        return np.c_[1 - p, p]

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

@dataclass
class Trial:
    n: int
    effect: float
    sd: float = 1.0

    def simulate(self, rng):
        g = np.repeat([0, 1], self.n)
        return (g, self.effect * g + rng.normal(scale=self.sd, size=2 * self.n))

    def power(self, reps=200, seed=0, alpha=0.05):
        rng = np.random.default_rng(seed)
        return np.mean([stats.ttest_ind(y[g == 1], y[g == 0]).pvalue < alpha for g, y in (self.simulate(rng) for _ in range(reps))])

class WeightedLogit(sm.GLM):

    def __init__(self, endog, exog, weights=None, **kw):
        super().__init__(endog, exog, family=sm.families.Binomial(), freq_weights=weights, **kw)

    def odds(self, res):
        return pd.DataFrame({'OR': np.exp(res.params), 'p': res.pvalues}).round(3)

class NLS:

    def __init__(self, f, names):
        self.f, self.names = (f, names)

    def fit(self, x, y, p0):
        r = optimize.least_squares(lambda p: self.f(x, *p) - y, p0)
        self.params = pd.Series(r.x, self.names)
        s2 = 2 * r.cost / (len(y) - len(p0))
        self.cov = pd.DataFrame(s2 * np.linalg.inv(r.jac.T @ r.jac), self.names, self.names)
        return self

    def summary(self):
        return self.params.to_frame('est').assign(se=np.sqrt(np.diag(self.cov)), z=lambda d: d.est / d.se, p=lambda d: 2 * stats.norm.sf(d.z.abs())).round(3)

def main():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 3))
    y = X @ [1, 0.5, 0] + rng.normal(size=150)
    w = SMWrapper().fit(X, y)
    print(w.params.round(2), w.score(X, y).round(2), w.rsquared.round(2), clone(w).get_params()['fit_intercept'])
    print(cross_val_predict(SMWrapper(), X, y, cv=KFold(3)).shape, GridSearchCV(SMWrapper(), {'fit_intercept': [True, False]}, cv=2).fit(X, y).best_params_)
    print(SMWrapper(sm.GLM, family=sm.families.Poisson()).fit(X, rng.poisson(1, 150)).results_.aic.round(1))
    pipe = Pipeline([('s', Spline(4)), ('m', SMWrapper(fit_intercept=False))]).fit(X[:, :1], y)
    print(pipe.predict(X[:2, :1]).round(2))
    yb = (y > 0).astype(int)
    f = Firth().fit(X, yb)
    print(f.coef_.round(2), round(f.score(X, yb), 2), f.n_iter_ > 1)
    print(Trial(40, 0.6).power(), pd.DataFrame([(n, Trial(n, 0.5).power(100)) for n in (20, 60)], columns=['n', 'power']).to_string(index=False))
    d = patients.dropna().merge(events, on='patient_id')
    d['t'] = (d.arm == 'active').astype(int)
    ps = LogisticRegression(C=1000000.0).fit(d[['age', 'bmi']], d.t).predict_proba(d[['age', 'bmi']])[:, 1]
    d['ipw'] = np.where(d.t == 1, 1 / ps, 1 / (1 - ps))
    d['stab'] = np.where(d.t == 1, d.t.mean() / ps, (1 - d.t.mean()) / (1 - ps))
    ml = WeightedLogit(d.event, sm.add_constant(d[['t']]), weights=d.ipw.values)
    print(ml.odds(ml.fit()))
    smd = lambda x, g, wt=None: (np.average(x[g == 1], weights=None if wt is None else wt[g == 1]) - np.average(x[g == 0], weights=None if wt is None else wt[g == 0])) / x.std()
    print({c: (round(smd(d[c], d.t), 2), round(smd(d[c], d.t, d.ipw), 2)) for c in ('age', 'bmi')})
    g = smf.gee('event ~ t', 'patient_id', d, weights=d['stab'], family=sm.families.Binomial()).fit()
    print(g.params.round(2).to_dict())
    m = smf.glm('event ~ cr(age, df=3) + t', d, family=sm.families.Binomial()).fit()
    grid = pd.DataFrame({'age': np.linspace(40, 70, 3), 't': 0})
    print(m.get_prediction(grid).summary_frame().round(2))
    print(m.compare_lr_test if hasattr(m, 'compare_lr_test') else '', -2 * (smf.glm('event ~ t', d, family=sm.families.Binomial()).fit().llf - m.llf).__round__(2))
    x = np.linspace(0.1, 10, 60)
    print(NLS(lambda x, e, c, h: e / (1 + (c / x) ** h), ['emax', 'ec50', 'hill']).fit(x, 10 / (1 + (3 / x) ** 1.5) + 0.2 * rng.normal(size=60), [8, 2, 1]).summary())
    res = smf.mixedlm('sbp ~ visit * arm', visits.merge(patients[['patient_id', 'arm']]).dropna(), groups='patient_id').fit()
    print(res.summary().tables[1].iloc[:3, :2])
    lr = LogisticRegressionCV(Cs=3, cv=3, scoring='neg_brier_score').fit(X, yb)
    print(lr.C_.round(3), {k: v.shape for k, v in lr.scores_.items()})
    with warnings.catch_warnings(record=True) as wl:
        warnings.simplefilter('always')
        sm.Logit(yb[:20], np.c_[np.ones(20), yb[:20]]).fit(disp=0, maxiter=3) if False else warnings.warn('x')
        print(len(wl), wl[0].category.__name__)
if __name__ == '__main__':
    main()
