# # Transport mode and satisfaction: multinomial and ordered models
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from statsmodels.miscmodels.ordinal_model import OrderedModel
from statsmodels.discrete.conditional_models import ConditionalLogit
import warnings
warnings.simplefilter("ignore")

gen = np.random.default_rng(99)
n = 600
X = pd.DataFrame({"minutes": gen.gamma(3, 9, n), "kids": gen.poisson(.8, n), "income": gen.lognormal(1, .4, n)})
util = np.column_stack([np.zeros(n), -.5 + .03 * X.minutes - .4 * X.kids, -1 + .5 * X.income + .3 * X.kids])
util += gen.gumbel(size=util.shape)
mode = np.array(["bus", "bike", "car"])[util.argmax(1)]
X["mode"] = pd.Categorical(mode, ["bus", "bike", "car"])
mn = sm.MNLogit(X["mode"].cat.codes, sm.add_constant(X[["minutes", "kids", "income"]])).fit(disp=False)
print(mn.summary())
print(mn.params.rename(columns={0: "bike", 1: "car"}).round(3))
print(mn.get_margeff().summary_frame().round(3))
print(mn.predict()[:3].round(3), mn.pred_table())
ci = mn.conf_int()
print(ci.round(2))

lat = .8 * (X["mode"] == "bike") - .02 * X.minutes + gen.logistic(size=n)
X["sat"] = pd.Categorical.from_codes(np.digitize(lat, [-1.5, 0, 1.5]), ["poor", "fair", "good", "great"], ordered=True)
om = OrderedModel(X.sat, pd.get_dummies(X["mode"].astype(str), drop_first=True, dtype=float).join(X[["minutes"]]), distr="logit")
fo = om.fit(method="bfgs", disp=False)
print(fo.summary())
print("thresholds", om.transform_threshold_params(fo.params).round(3))
op = OrderedModel.from_formula("sat ~ minutes + kids", X, distr="probit").fit(method="bfgs", disp=0)
print(op.params.round(3), op.predict(X.iloc[:2]).round(3))
print(X.sat.cat.categories[fo.predict().values.argmax(1)[:8]] if hasattr(fo.predict(), "values") else fo.predict().argmax(1)[:8])

# matched pairs
pairs = pd.DataFrame({"pair": np.repeat(np.arange(80), 2), "case": np.tile([1, 0], 80)})
pairs["exposure"] = gen.normal(.5 * pairs.case, 1)
c = ConditionalLogit(pairs.case, pairs[["exposure"]], groups=pairs.pair).fit(disp=False)
print(c.summary())
print(np.exp(c.params).round(2))
