"""Contrast coding, a custom contrast class; stateful transforms in formulas."""
import numpy as np
import pandas as pd
import patsy
import statsmodels.formula.api as smf
from patsy import ContrastMatrix, EvalEnvironment, Poly, ModelDesc, Term, LookupFactor, build_design_matrices, demo_data, dmatrix, dmatrices, stateful_transform
from patsy.contrasts import Diff, Helmert, Sum, Treatment

rs = np.random.RandomState(1)
hsb2 = pd.DataFrame({"write": rs.normal(50, 10, 80), "race": np.tile([1, 2, 3, 4], 20), "ses": np.repeat(list("abcd"), 20)})


def _name_levels(prefix, levels):
    return [f"[{prefix}{level}]" for level in levels]


class Simple:
    def _simple_contrast(self, levels):
        nlevels = len(levels)
        contr = -1. / nlevels * np.ones((nlevels, nlevels - 1))
        contr[1:][np.diag_indices(nlevels - 1)] = (nlevels - 1.) / nlevels
        return contr

    def code_with_intercept(self, levels):
        c = np.column_stack((np.ones(len(levels)), self._simple_contrast(levels)))
        return ContrastMatrix(c, _name_levels("Simp.", levels))

    def code_without_intercept(self, levels):
        contrast = self._simple_contrast(levels)
        return ContrastMatrix(contrast, _name_levels("Simp.", levels[:-1]))


for code in ("Treatment", "Simple", "Sum", "Diff", "Helmert", "Poly"):
    res = smf.ols(f"write ~ C(race, {code})", data=hsb2).fit()
    print(code, res.params.round(2).tolist())
contrast = Simple().code_without_intercept([1, 2, 3, 4])
print(contrast.matrix.round(2)[0], Poly().code_without_intercept([1, 2, 3]).matrix.round(3).tolist())
print(dmatrix("center(x) + bs(x, df=4) + I(x**2) + np.log(x) + cr(x, df=3)", {"x": np.arange(1.0, 9.0)}).shape)


class MyExampleCenter:
    def __init__(self):
        self._total = 0
        self._count = 0
        self._mean = None

    def memorize_chunk(self, x):
        self._total += np.sum(x)
        self._count += len(x)

    def memorize_finish(self):
        self._mean = self._total * 1. / self._count

    def transform(self, x):
        return x - self._mean


my_center = patsy.stateful_transform(MyExampleCenter)
m = dmatrix("my_center(x) + 0", {"x": [1.0, 2, 6]})
print(np.asarray(m).ravel(), m.design_info.column_names, m.design_info.describe())
print(build_design_matrices([m.design_info], {"x": [3.0]})[0])
desc = ModelDesc([Term([LookupFactor("y")])], [Term([]), Term([LookupFactor("x")])])
print(desc.describe(), ModelDesc.from_formula("y ~ a:b + C(d)").describe(), dmatrices(desc, {"y": [1, 2], "x": [3, 4]})[1].shape)
data = demo_data("a", "b", "x1", "x2", "y", "z column")
print(dmatrix("Q('z column') + a:b", data, return_type="dataframe").shape, dmatrix("C(a, Treatment(reference='a2'))", data).design_info.term_names)
d = patsy.DesignInfo(["a", "b"])
print(d.linear_constraint("a = 2*b").coefs, patsy.PatsyError.__name__)
