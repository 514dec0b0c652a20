import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.imputation import mice
from statsmodels.imputation.bayes_mi import BayesGaussMI, MI
from statsmodels.imputation.mice import MICE, MICEData
from statsmodels.regression.mixed_linear_model import MixedLM, MixedLMParams, VCSpec
from statsmodels.stats.mediation import Mediation
from statsmodels.treatment.treatment_effects import TreatmentEffect

np.random.seed(1)
df = pd.DataFrame(np.random.normal(size=(150, 4)), columns=["y", "x1", "x2", "x3"])
df["y"] += df.x1
df.iloc[3:20, 1] = np.nan
df.iloc[60:70, 2] = np.nan
imp = mice.MICEData(df.copy())
imp.set_imputer("x1", formula="x2 + np.square(x2)", model_class=sm.GLM, init_kwds={"family": sm.families.Gaussian()})
mi = mice.MICE("y ~ x1 + x2", sm.OLS, imp)
res = mi.fit(2, 3)
print(res.params.shape, "MICE" in str(res.summary()))
for j in range(2):
    imp.update_all()
imp.plot_missing_pattern()
imp.plot_bivariate("x1", "x2")
bm = BayesGaussMI(df[["y", "x1", "x2"]].copy())
bm.update()
r = MI(bm, sm.OLS, lambda x: {"endog": x.y, "exog": sm.add_constant(x[["x1"]])} if False else (x.y, sm.add_constant(x[["x1"]])), formula=None, xfunc=None, nrep=3, burn=2) if False else None
d2 = df.dropna().assign(m=lambda d: d.x1 * 0.5 + np.random.normal(size=len(d)), t=lambda d: (d.x2 > 0).astype(int))
med = Mediation(sm.OLS.from_formula("y ~ x1 + m", d2), sm.OLS.from_formula("m ~ x1", d2), "x1", "m").fit(n_rep=10)
print(med.summary().shape)
te = TreatmentEffect(sm.OLS.from_formula("y ~ x1 + x3", d2), d2.t, results_select=sm.Logit(d2.t, sm.add_constant(d2[["x1"]])).fit(disp=0))
print(te.ipw(return_results=False)[0].round(1) is not None)
vcf = {"classroom": "0 + C(cl)"}
d3 = pd.DataFrame({"y": np.random.normal(size=120), "school": np.repeat(range(10), 12), "cl": np.tile(np.repeat(range(3), 4), 10)})
m = MixedLM.from_formula("y ~ 1", groups="school", vc_formula=vcf, re_formula="1", data=d3).fit(method="lbfgs")
print(m.vcomp.shape, len(m.random_effects), m.cov_re.shape)
bb = sm.BinomialBayesMixedGLM.from_formula("b ~ 1", {"s": "0 + C(school)"}, d3.assign(b=(d3.y > 0).astype(int))).fit_vb()
print(bb.fe_mean.shape)
