import numpy as np
import statsmodels.api as sm
from statsmodels.sandbox.regression.gmm import GMM, IV2SLS, IVGMM, NonlinearIVGMM, LinearIVGMM

rs = np.random.RandomState(12)
n = 300
z = rs.normal(size=(n, 2))
u = rs.normal(size=n)
x = z @ [1.0, 0.5] + 0.5 * u + rs.normal(size=n)
y = 1 + 2 * x + u
X, Z = sm.add_constant(x), sm.add_constant(z)
print(IV2SLS(y, X, instrument=Z).fit().params.round(2))


class GMMMean(GMM):
    def momcond(self, params):
        mean, var = params
        e = self.endog - mean
        return np.column_stack((e, e ** 2 - var))


r = GMMMean(y, X, Z, k_moms=2, k_params=2).fit(np.array([1.0, 4.0]), maxiter=2, optim_method="nm", wargs=dict(centered=False), optim_args={"disp": 0})
print(np.round(r.params, 1), r.jtest()[2] if len(r.jtest()) > 2 else "")


def moment_exp(params, exog):
    return exog @ params


mod = NonlinearIVGMM(y, X, Z, moment_exp, k_moms=3)
res = mod.fit([0.5, 1.0], maxiter=100, optim_method="bfgs", optim_args=dict(disp=0))
print(res.params.round(2), res.jtest()[1].round(3), mod.exog_names)
print(IVGMM(y, X, Z).fit([0, 0], maxiter=3, optim_args=dict(disp=0)).bse.shape)
