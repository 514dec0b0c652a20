import warnings
warnings.simplefilter('ignore')
import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf
from statsmodels.discrete.discrete_model import Logit, Probit, MNLogit, Poisson, NegativeBinomial, NegativeBinomialP, GeneralizedPoisson
from statsmodels.discrete.count_model import ZeroInflatedPoisson, ZeroInflatedNegativeBinomialP, ZeroInflatedGeneralizedPoisson
from statsmodels.discrete.truncated_model import TruncatedLFPoisson, HurdleCountModel
from statsmodels.discrete.conditional_models import ConditionalLogit, ConditionalMNLogit, ConditionalPoisson
from statsmodels.miscmodels.ordinal_model import OrderedModel
from statsmodels.discrete.diagnostic import CountDiagnostic, PoissonDiagnostic
from scipy import stats
rng = np.random.default_rng(5)
n = 500
x = rng.normal(size=(n, 2))
X = pd.DataFrame(sm.add_constant(x), columns=['const', 'dose', 'age'])
eta = X.values @ [0.2, 0.6, -0.4]

def header(t):
    print('\n' + '=' * 30, t, '=' * 30)

def main():
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-eta))).astype(int)
    yc = rng.poisson(np.exp(eta))
    yz = yc * (rng.uniform(size=n) > 0.3)
    header('logit')
    r = Logit(y, X).fit(disp=0)
    print(r.summary())
    print(r.get_margeff(at='overall').summary())
    print(r.get_margeff(at='mean', method='eyex').summary_frame().round(3))
    print(r.pred_table(), np.exp(r.conf_int()).round(3), round(r.prsquared, 4), r.llr_pvalue < 0.05, r.mle_retvals['converged'])
    print(Logit(y, X).fit_regularized(method='l1', alpha=3, disp=0).params.round(3))
    for m in ('newton', 'bfgs', 'nm', 'cg', 'ncg', 'powell', 'lbfgs', 'basinhopping', 'minimize'):
        kw = {'niter': 2} if m == 'basinhopping' else {}
        print(m, Logit(y, X).fit(method=m, disp=0, maxiter=300, **kw).params.round(2).tolist())
    header('probit')
    print(Probit(y, X).fit(disp=0).summary2())
    header('mnlogit')
    y3 = rng.integers(0, 3, n)
    mn = MNLogit(y3, X).fit(disp=0)
    print(mn.summary())
    print(mn.params.round(3))
    print(mn.predict(X.head(2)).round(3))
    print(mn.get_margeff().summary_frame().round(3).head(4))
    header('counts')
    for c in (Poisson, NegativeBinomial, NegativeBinomialP, GeneralizedPoisson):
        q = c(yc, X).fit(disp=0, maxiter=200)
        print(c.__name__, q.params.round(2).to_dict(), round(q.llf, 2), round(q.aic, 1))
    for c in (ZeroInflatedPoisson, ZeroInflatedNegativeBinomialP, ZeroInflatedGeneralizedPoisson):
        q = c(yz, X, exog_infl=np.ones((n, 1))).fit(method='bfgs', disp=0, maxiter=300)
        print(c.__name__, np.round(q.params.values[:2], 1), q.predict(X.head(2), exog_infl=np.ones((2, 1)), which='prob').shape)
    p = Poisson(yc, X, exposure=np.full(n, 2.0)).fit(disp=0, cov_type='HC0')
    print(p.summary().tables[1])
    d = p.get_diagnostic()
    print(d.test_dispersion().summary_frame().round(3))
    print(d.test_poisson_zeroinflation().pvalue > 0, d.test_chisquare_prob().statistic > 0)
    print(p.get_influence().cooks_distance[0][:2].round(4))
    h = HurdleCountModel(yz, X, dist='poisson').fit(disp=0)
    print(h.params.round(2).tolist())
    t = TruncatedLFPoisson(yc[yc > 0], X[yc > 0]).fit(disp=0)
    print(t.params.round(2).tolist())
    header('conditional')
    g = np.repeat(np.arange(n // 5), 5)
    print(ConditionalLogit(y, X[['dose', 'age']], groups=g).fit().summary())
    print(ConditionalPoisson(yc, X[['dose', 'age']], groups=g).fit(disp=0).params.round(2))
    header('ordered')
    lat = eta + rng.logistic(size=n)
    o = pd.cut(lat, [-np.inf, -1, 1, np.inf], labels=['low', 'mid', 'high'])
    o = pd.Series(o, name='sev')
    for dist in ('logit', 'probit', stats.norm):
        print(OrderedModel(o, X[['dose', 'age']], distr=dist).fit(method='bfgs', disp=False).params.round(2).tolist())

    class CLogLog(stats.rv_continuous):

        def _ppf(self, q):
            return np.log(-np.log(1 - q))

        def _cdf(self, x):
            return 1 - np.exp(-np.exp(x))
    om = OrderedModel(o, X[['dose', 'age']], distr=CLogLog()).fit(method='bfgs', disp=False)
    print(om.summary())
    print(om.predict(X[['dose', 'age']].head(2)).values.round(3))
    print(om.model.transform_threshold_params(om.params)[1:-1].round(2))
    f = smf.logit('y ~ dose*age + bs(age, df=4)', X.assign(y=y)).fit(disp=0)
    print(f.params.round(2))
    print(f.model.data.design_info.term_names if hasattr(f.model.data, 'design_info') else '-')
main()
