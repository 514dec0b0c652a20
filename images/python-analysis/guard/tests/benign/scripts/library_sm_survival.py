import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf, warnings
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.duration.survfunc import SurvfuncRight, survdiff, CumIncidenceRight, plot_survfunc
from statsmodels.imputation.mice import MICE, MICEData, MICEResults
from statsmodels.imputation.bayes_mi import BayesGaussMI, MI
from statsmodels.imputation import mice
from statsmodels.stats.mediation import Mediation
from statsmodels.treatment.treatment_effects import TreatmentEffect
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
warnings.filterwarnings('ignore')

class Recorder:

    def __init__(self):
        self.rows = []

    def __call__(self, md):
        r = [md.data[c].mean() for c in ('x1', 'x2')]
        self.rows.append(r)
        return r

def main():
    rng = np.random.default_rng(21)
    n = 250
    df = pd.DataFrame({'age': rng.normal(60, 10, n), 'trt': rng.choice(['ctl', 'act'], n), 'site': rng.integers(0, 3, n)})
    t = rng.exponential(np.exp(2 + 0.3 * (df.trt == 'act') - 0.02 * (df.age - 60)))
    c = rng.exponential(12, n)
    df['time'], df['status'] = (np.minimum(t, c), (t <= c).astype(int))
    r = smf.phreg('time ~ age + C(trt) - 1 + bs(age, 4) - bs(age, 4)', df, status=df.status.values, ties='efron').fit()
    print(r.summary())
    print(r.params.round(3), r.bse.round(3), np.exp(r.conf_int()).round(2))
    s = PHReg.from_formula('time ~ age + trt', df, status='status', strata='site').fit()
    print(s.summary().tables[1].round(3))
    print(s.baseline_cumulative_hazard[0][1][:3].round(3), s.martingale_residuals[:3].round(3), s.schoenfeld_residuals[:1].round(2), s.score_residuals[:1].round(3))
    print(s.predict(pred_type='hr').predicted_values[:2].round(3))
    print(s.get_distribution().mean()[:2].round(1))
    print(PHReg(df.time, df[['age']], status=df.status).fit(groups=df.site).params.round(3))
    print(PHReg(df.time, df[['age']], status=df.status).fit_regularized(alpha=0.01).params.round(4))
    for g, d in df.groupby('trt'):
        sf = SurvfuncRight(d.time, d.status, title=g)
        print(g, sf.summary().tail(2).round(3))
        print(sf.quantile(0.5).round(2), sf.quantile_ci(0.5, method='cloglog'), sf.simultaneous_cb()[0][:2].round(3))
    print(survdiff(df.time, df.status, df.trt), survdiff(df.time, df.status, df.trt, weight_type='fh', fh_p=0.5), survdiff(df.time, df.status, df.trt, strata=df.site, weight_type='gb'))
    ci = CumIncidenceRight(df.time, df.status * rng.integers(1, 3, n))
    print(ci.cinc[0][-2:].round(3))
    fig = SurvfuncRight(df.time, df.status).plot()
    plot_survfunc([SurvfuncRight(d.time, d.status, title=g) for g, d in df.groupby('trt')])
    fig.axes[0].set_xlabel('time')
    fig.savefig('km.png')
    plt.close('all')
    X = pd.DataFrame(rng.multivariate_normal([0, 0, 0], [[1, 0.5, 0.3], [0.5, 1, 0.4], [0.3, 0.4, 1]], 200), columns=['y', 'x1', 'x2'])
    X = X.mask(rng.uniform(size=X.shape) < 0.1)
    rng2 = np.random.seed(3)
    imp = MICEData(X)
    imp.set_imputer('x1', formula='x2 + np.square(x2)')
    imp.update_all(2)
    print(imp.data.isna().sum().sum(), imp.next_sample().shape)
    m = mice.MICE('y ~ x1 + x2', sm.OLS, imp)
    f = m.fit(2, 3)
    print(f.summary().tables[0].shape)
    print(np.isfinite(f.params).all())
    rec = Recorder()
    imp.history_callback = rec
    imp.update_all(2)
    print(len(imp.history), len(rec.rows))
    fig = imp.plot_missing_pattern()
    plt.close(fig)
    imp.plot_bivariate('x1', 'x2')
    plt.close('all')
    bm = BayesGaussMI(X.values)
    bm.update()
    print(bm.data.shape)
    mi = MI(bm, sm.OLS, lambda x: (x[:, 0], x[:, 1:]) if False else {'endog': x[:, 0], 'exog': x[:, 1:]}) if False else MI(bm, sm.OLS, model_args_fn=lambda x: (x[:, 0], x[:, 1:]), burn=2, nrep=3)
    print(mi.fit().params.shape)
    M = 0.5 * (df.trt == 'act') + rng.normal(size=n)
    Y = 0.7 * M + rng.normal(size=n)
    d = pd.DataFrame({'Y': Y, 'M': M, 'T': (df.trt == 'act').astype(float)})
    np.random.seed(1)
    med = Mediation(sm.OLS.from_formula('Y ~ T + M', d), sm.OLS.from_formula('M ~ T', d), 'T', mediator='M').fit(n_rep=50, method='parametric')
    print(med.summary().shape, list(med.summary().index))
    tr = smf.probit('T ~ M', d).fit(disp=0)
    te = TreatmentEffect(sm.OLS.from_formula('Y ~ M', d), d['T'].values, results_select=tr)
    print(te.ipw().summary())
    print(te.aipw().summary_frame().round(2))
main()
