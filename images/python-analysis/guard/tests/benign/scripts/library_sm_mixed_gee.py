import warnings
warnings.filterwarnings('ignore', category=UserWarning)
from statsmodels.tools.sm_exceptions import ConvergenceWarning, ValueWarning, ModelWarning, InterpolationWarning
warnings.simplefilter('ignore', ConvergenceWarning)
import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf
from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec, MixedLMParams
from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM, PoissonBayesMixedGLM
from statsmodels.genmod.cov_struct import Exchangeable, Independence, Autoregressive, Nested, GlobalOddsRatio, Stationary, Unstructured, CovStruct, Equivalence
from statsmodels.genmod.generalized_estimating_equations import GEE, OrdinalGEE, NominalGEE
from statsmodels.genmod.qif import QIF, QIFIndependence, QIFExchangeable

class MyExch(CovStruct):
    """moment estimator of one correlation, by hand"""

    def __init__(self):
        super().__init__()
        self.dep_params = 0.0

    def initialize(self, model):
        super().initialize(model)

    def update(self, params):
        num, den = (0.0, 0)
        cm = self.model.cached_means
        vf = self.model.family.variance
        for i in range(self.model.num_group):
            e, _ = cm[i]
            s = np.sqrt(vf(e))
            r = (self.model.endog_li[i] - e) / s
            num += (r.sum() ** 2 - (r ** 2).sum()) / 2
            den += len(r) * (len(r) - 1) / 2
        sc = self.model.estimate_scale()
        self.dep_params = num / den / sc

    def covariance_matrix(self, e, i):
        n = len(e)
        return (np.full((n, n), self.dep_params) + np.eye(n) * (1 - self.dep_params), True)

    def summary(self):
        return 'own exchangeable %.3f' % self.dep_params
rng = np.random.default_rng(2)
G, m = (40, 6)
df = pd.DataFrame({'g': np.repeat(np.arange(G), m), 't': np.tile(np.arange(m), G), 'x': rng.normal(size=G * m), 'arm': np.repeat(rng.choice(['A', 'B'], G), m)})
u = rng.normal(size=G)
v = rng.normal(scale=0.4, size=G)
df['y'] = 2 + 0.5 * df.x + (0.3 + v[df.g]) * df.t + u[df.g] + rng.normal(size=len(df))
df['bin'] = (rng.uniform(size=len(df)) < 1 / (1 + np.exp(-(df.x + u[df.g])))).astype(int)
df['cnt'] = rng.poisson(np.exp(0.2 * df.x + 0.3 * u[df.g]))
df['site'] = df.g % 5

def main():
    r = smf.mixedlm('y ~ x + t * C(arm)', df, groups='g', re_formula='~t').fit(method=['lbfgs'])
    print(r.summary())
    print(r.cov_re.round(3))
    print({k: v.round(2).tolist() for k, v in list(r.random_effects.items())[:2]})
    print(r.random_effects_cov[0].round(2))
    ml = smf.mixedlm('y ~ x + t', df, groups=df['g']).fit(reml=False)
    print(round(ml.llf, 3), round(ml.aic, 2), ml.fe_params.round(3).to_dict(), ml.bse_fe.round(3).to_dict())
    vc = {'site': '0 + C(site)'}
    df['one'] = 1
    q = smf.mixedlm('y ~ x', df, groups='one', vc_formula=vc, re_formula='0').fit()
    print(q.vcomp.round(3), q.summary().tables[1])
    md = MixedLM(df.y, sm.add_constant(df[['x', 't']]), groups=df.g, exog_re=sm.add_constant(df[['t']]))
    free = MixedLMParams.from_components(np.ones(3), np.eye(2))
    print(md.fit(free=free).cov_re.round(2))
    print(md.fit_regularized(method='l1', alpha=np.array([0, 2.0, 2.0])).params.round(2))
    lik = ml.profile_re(0, vtype='re', num_low=2, dist_low=0.1, num_high=2, dist_high=0.1)
    print(lik.round(2))
    for cov in (Independence(), Exchangeable(), Autoregressive(), Stationary(max_lag=2), MyExch()):
        kw = {'time': df.t.values} if isinstance(cov, (Autoregressive, Stationary)) else {}
        print(cov.summary())
    b = GEE.from_formula('bin ~ x', 'g', df, family=sm.families.Binomial(), cov_struct=sm.cov_struct.Exchangeable()).fit()
    print(b.summary())
    print(b.qic(scale=1.0))
    print(b.get_margeff().summary())
    p = smf.gee('cnt ~ x + C(arm)', groups=df['g'], data=df, family=sm.families.Poisson(), cov_struct=sm.cov_struct.Nested() if False else sm.cov_struct.Independence()).fit(scale='X2')
    print(p.summary().tables[1])
    print(p.model.compare_score_test(smf.gee('cnt ~ x', groups=df['g'], data=df, family=sm.families.Poisson()).fit()))
    ne = GEE(df.y, sm.add_constant(df[['x']]), df.site, dep_data=df[['g']].values, cov_struct=Nested()).fit(maxiter=5)
    print(ne.params.round(2).to_dict())
    print(ne.model.cov_struct.summary().round(1))
    df['o'] = pd.cut(df.y, 3, labels=False)
    oo = OrdinalGEE(df.o, df[['x']], df.g, cov_struct=GlobalOddsRatio('ordinal')).fit(maxiter=5)
    print(oo.params.round(2))
    no = NominalGEE(df.o, df[['x']], df.g).fit(maxiter=5)
    print(no.params.round(2))
    print(QIF.from_formula('y ~ x', 'g', df, cov_struct=QIFExchangeable()).fit().params.round(3).tolist())
    bg = BinomialBayesMixedGLM.from_formula('bin ~ x', {'g': '0 + C(g)'}, df)
    fit = bg.fit_vb()
    print(fit.summary())
    print(bg.fit_map().params[:2].round(2))
main()
