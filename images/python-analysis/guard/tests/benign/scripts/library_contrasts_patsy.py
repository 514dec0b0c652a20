# # Coding of categories, own contrasts, own transformations
import numpy as np
import pandas as pd
import patsy
from patsy import dmatrix, dmatrices, ContrastMatrix, Sum, Helmert, Diff, Poly, Treatment, ModelDesc, Term, EvalFactor, build_design_matrices, NAAction, EvalEnvironment, stateful_transform, DesignInfo
import statsmodels.formula.api as smf

rng = np.random.default_rng(9)
d = pd.DataFrame({"stage": rng.choice(["I", "II", "III", "IV"], 160), "ph": rng.normal(7.4, .05, 160)})
d["score"] = d.stage.map({"I": 1, "II": 2, "III": 4, "IV": 4.5}) + rng.normal(0, 1, 160)

for c in ("Treatment", "Sum", "Diff", "Helmert", "Poly"):
    f = smf.ols(f"score ~ C(stage, {c})", d).fit()
    print(c, f.params.round(3).tolist())

def name_levels(levels):
    return [f"[vs {l}]" for l in levels]

class AgainstMean:
    """Each level against the mean of those before it, labels included."""
    def code_with_intercept(self, levels):
        return ContrastMatrix(np.column_stack((np.ones(len(levels)), self._contrast(levels))), ["[mean]"] + name_levels(levels[1:]))
    def code_without_intercept(self, levels):
        return ContrastMatrix(self._contrast(levels), name_levels(levels[1:]))
    def _contrast(self, levels):
        k = len(levels)
        m = np.zeros((k, k - 1))
        for j in range(1, k):
            m[:j, j - 1] = -1 / (j + 1)
            m[j, j - 1] = j / (j + 1)
        return m

f = smf.ols("score ~ C(stage, AgainstMean)", d).fit()
print(f.params.round(3))
custom = np.array([[-1, 0, 0], [1, -1, 0], [0, 1, -1], [0, 0, 1]])
print(smf.ols("score ~ C(stage, custom)", d).fit().params.round(3).values)
print(Sum().code_without_intercept(list("abc")).matrix, Poly().code_without_intercept([1, 2, 3]).column_suffixes)

class Centre(object):
    def __init__(self):
        self._s, self._n = 0., 0
    def memorize_chunk(self, x):
        self._s += np.sum(x); self._n += len(x)
    def memorize_finish(self):
        self._m = self._s / self._n
    def transform(self, x):
        return x - self._m
my_centre = stateful_transform(Centre)

y, X = dmatrices("score ~ my_centre(ph) + standardize(ph) + C(stage)", d, return_type="dataframe")
print(X.iloc[:2].round(3).T)
info = X.design_info
print(info.column_names, info.term_names, info.slice("C(stage)"))
new = build_design_matrices([info], pd.DataFrame({"ph": [7.4], "stage": ["III"]}))[0]
print(np.asarray(new).round(3))
desc = ModelDesc.from_formula("score ~ stage*ph - ph + I(ph**2)")
print(desc.describe(), [t.name() for t in desc.rhs_termlist])
bs = dmatrix("bs(ph, df=5, degree=3, include_intercept=True) - 1", d)
print(bs.shape, bs.sum(axis=1).round(6)[:3], dmatrix("cr(ph, df=4, constraints='center')", d).shape, dmatrix("te(cr(ph, 3), cc(score, 3))", d).shape)
lc = info.linear_constraint("C(stage)[T.II] = C(stage)[T.III]")
print(lc.coefs, lc.constants)
m = d.assign(ph=d.ph.mask(rng.random(160) < .1))
print(dmatrix("ph", m, NA_action="drop").shape)
try:
    dmatrix("ph", m, NA_action="raise")
except patsy.PatsyError as e:
    print("patsy says:", str(e).splitlines()[0])
cats = patsy.dmatrix("0 + C(stage, levels=['IV', 'III', 'II', 'I'])", d)
print(cats.design_info.column_names)
print(patsy.demo_data("a", "b", "x", nlevels=2)["a"])
