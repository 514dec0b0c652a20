import numpy as np, pandas as pd, statsmodels.api as sm
from statsmodels.robust import norms, scale
from statsmodels.robust.norms import RobustNorm, HuberT
from statsmodels.robust.scale import huber, hubers_scale, mad, iqr, qn_scale, Huber, HuberScale
from statsmodels.robust.robust_linear_model import RLM
from statsmodels.regression.quantile_regression import QuantReg

class Welsch(RobustNorm):

    def __init__(self, c=2.98):
        self.c = c

    def rho(self, z):
        return self.c ** 2 / 2 * (1 - np.exp(-(np.asarray(z) / self.c) ** 2))

    def psi(self, z):
        z = np.asarray(z)
        return z * np.exp(-(z / self.c) ** 2)

    def weights(self, z):
        return np.exp(-(np.asarray(z) / self.c) ** 2)

    def psi_deriv(self, z):
        z = np.asarray(z)
        return np.exp(-(z / self.c) ** 2) * (1 - 2 * (z / self.c) ** 2)

    def __call__(self, z):
        return self.rho(z)

class Cap(HuberT):

    def weights(self, z):
        return np.minimum(super().weights(z), 0.9)

def main():
    rng = np.random.default_rng(0)
    n = 80
    x = np.linspace(0, 10, n)
    y = 2 + 0.5 * x + rng.standard_t(2, n)
    X = sm.add_constant(x)
    for nm in (norms.HuberT(), norms.TukeyBiweight(), norms.AndrewWave(), norms.Hampel(), norms.RamsayE(), norms.TrimmedMean(2.0), norms.LeastSquares(), Welsch(), Cap(t=1.2)):
        r = RLM(y, X, M=nm).fit()
    r = sm.RLM(y, X, M=Welsch()).fit(scale_est=HuberScale(), cov='H2', update_scale=True)
    print(r.summary(yname='y', xname=['c', 'x']))
    print(r.sresid[:3].round(3), r.bcov_scaled.round(4))
    q = QuantReg(y, X)
    print(pd.DataFrame([[t, *q.fit(q=t).params, *q.fit(q=t).conf_int()[1]] for t in np.arange(0.1, 1, 0.2)], columns=['q', 'a', 'b', 'lb', 'ub']).round(2).to_string(index=False))
    print(q.fit(0.5, vcov='iid', kernel='epa', bandwidth='bofinger').summary())
    b = np.linalg.lstsq(X, y, rcond=None)[0]
    M = Welsch()
    for i in range(50):
        e = y - X @ b
        w = M.weights(e / mad(e, center=0))
        new = sm.WLS(y, X, weights=w).fit().params
        if np.allclose(new, b, atol=1e-08):
            break
        b = new
    print(i > 2, b.round(3))
    print(sm.robust.norms.estimate_location(y, 1.0).round(2))
    g = sm.GLS(y, X, sigma=np.diag(1 + x)).fit()
    print(g.summary().tables[1])
    ar = sm.GLSAR(y, X, rho=2)
    print(ar.iterative_fit(maxiter=4).params.round(2), ar.rho.round(2))
    print(sm.OLS(y, X).fit_regularized(alpha=0.1, L1_wt=1).params.round(2))
    print(sm.regression.yule_walker(y, order=2)[0].round(2))
    rl = sm.RecursiveLS(y, X).fit()
    print(rl.recursive_coefficients.filtered[:, -1].round(3), rl.cusum[-1].round(2))
    from statsmodels.regression.process_regression import ProcessMLE, GaussianCovariance
    from statsmodels.regression.dimred import SlicedInverseReg, PHD, SAVE, CORE
    Z = rng.normal(size=(200, 4))
    w = Z @ [1, 1, 0, 0] + 0.1 * rng.normal(size=200)
    print(np.abs(SlicedInverseReg(w, Z).fit(slice_n=20).params[:, 0]).round(1))
if __name__ == '__main__':
    main()
