"""Maximum likelihood with GenericLikelihoodModel: probit, negative binomial."""
import numpy as np
from scipy import stats
import statsmodels.api as sm
from statsmodels.base.model import GenericLikelihoodModel, GenericLikelihoodModelResults

data = sm.datasets.spector.load_pandas()
exog = sm.add_constant(data.exog, prepend=True)
endog = data.endog


class MyProbit(GenericLikelihoodModel):
    def loglike(self, params):
        exog = self.exog
        endog = self.endog
        q = 2 * endog - 1
        return stats.norm.logcdf(q * np.dot(exog, params)).sum()


sm_probit_manual = MyProbit(endog, exog).fit(disp=0)
print(sm_probit_manual.params.round(3))


def _ll_nb2(y, X, beta, alph):
    mu = np.exp(np.dot(X, beta))
    size = 1 / alph
    prob = size / (size + mu)
    return stats.nbinom.logpmf(y, size, prob)


class NBin(GenericLikelihoodModel):
    def __init__(self, endog, exog, **kwds):
        super().__init__(endog, exog, **kwds)

    def nloglikeobs(self, params):
        alph = params[-1]
        beta = params[:-1]
        return -_ll_nb2(self.endog, self.exog, beta, alph)

    def fit(self, start_params=None, maxiter=10000, maxfun=5000, **kwds):
        self.exog_names.append("alpha")
        if start_params is None:
            start_params = np.append(np.zeros(self.exog.shape[1]), .5)
            start_params[-2] = np.log(self.endog.mean())
        return super().fit(start_params=start_params, maxiter=maxiter, maxfun=maxfun, **kwds)


rs = np.random.RandomState(0)
x = rs.normal(size=(200, 1))
y = rs.negative_binomial(2, 2 / (2 + np.exp(0.5 + 0.3 * x[:, 0])))
mod = NBin(y, np.column_stack([x, np.ones(200)]))
res = mod.fit(disp=0)
print(np.round(res.params, 2), mod.df_model, mod.df_resid, res.bse.shape)
print(str(res.summary()).splitlines()[1].strip())
print(sm.Probit(endog, exog).fit(disp=0).summary2().tables[1].round(2).iloc[0].tolist())
