"""Contrasts and transforms of one's own in formulas: doses against their neighbours, splines kept for prediction."""
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from patsy import ContrastMatrix, DesignInfo, EvalEnvironment, ModelDesc, NAAction, PatsyError, Poly, Sum, Treatment, build_design_matrices, dmatrices, dmatrix, stateful_transform
from patsy.contrasts import Diff, Helmert
from statsmodels.stats.anova import AnovaRM, anova_lm
from statsmodels.stats.multicomp import MultiComparison, pairwise_tukeyhsd


class AgainstPlacebo:
    """Each dose minus placebo, and nothing else; weights if given."""

    def __init__(self, placebo="placebo", weights=None):
        self.placebo, self.weights = placebo, weights

    def _matrix(self, levels):
        others = [level for level in levels if level != self.placebo]
        columns = np.array([[1.0 if level == other else 0.0 for other in others] for level in levels])
        scale = np.ones(len(others)) if self.weights is None else np.asarray(self.weights, float)
        return columns * scale, [f"[{level}-{self.placebo}]" for level in others]

    def code_with_intercept(self, levels):
        matrix, names = self._matrix(levels)
        return ContrastMatrix(np.column_stack([np.ones(len(levels)), matrix]), ["[base]", *names])

    def code_without_intercept(self, levels):
        return ContrastMatrix(*self._matrix(levels))


class Standing:
    """Values as ranks among those that were seen while fitting."""

    def __init__(self):
        self.seen = []

    def memorize_chunk(self, values, ties=0.5):
        self.seen.extend(np.asarray(values).tolist())

    def memorize_finish(self):
        self.seen.sort()

    def transform(self, values, ties=0.5):
        low = np.searchsorted(self.seen, values, side="left")
        high = np.searchsorted(self.seen, values, side="right")
        return (low + ties * (high - low)) / len(self.seen)


standing = stateful_transform(Standing)
rng = np.random.default_rng(909)
trial = pd.DataFrame({
    "dose": np.resize(["placebo", "low", "mid", "high"], 96),
    "weight": rng.normal(70, 12, 96).round(1),
    "centre": np.repeat(["a", "b", "c"], 32),
})
effect = trial.dose.map({"placebo": 0, "low": 1, "mid": 2.5, "high": 3})
trial["fall"] = (5 + effect + 0.05 * (trial.weight - 70) + rng.normal(0, 1, 96)).round(2)
fit = smf.ols("fall ~ C(dose, AgainstPlacebo) + standing(weight)", trial).fit()
print(fit.params.round(2).to_dict())
print(fit.predict(pd.DataFrame({"dose": ["low", "high"], "weight": [60.0, 90.0]})).round(1).tolist())
for coding in (Treatment("placebo"), Sum, Helmert, Diff, Poly):
    model = smf.ols("fall ~ C(dose, coding, levels=['placebo', 'low', 'mid', 'high'])", trial).fit()
    print(getattr(coding, "__name__", type(coding).__name__), round(model.rsquared, 6), len(model.params))
table = anova_lm(smf.ols("fall ~ C(dose)", trial).fit(), smf.ols("fall ~ C(dose) * centre", trial).fit(), typ=1)
print(table.shape, anova_lm(fit, typ=2).index.tolist())
outcome, design = dmatrices("np.log(fall) ~ bs(weight, df=4) + C(centre):I(weight > 70) - 1", trial, return_type="dataframe")
print(outcome.columns.tolist(), design.shape)
built = dmatrix("center(weight) + standardize(weight) + cr(weight, df=3)", trial)
print(isinstance(built.design_info, DesignInfo), build_design_matrices([built.design_info], trial.head(2))[0].shape, built.design_info.column_names[:3])
holes = trial.assign(weight=trial.weight.where(trial.index % 10 > 0))
print(dmatrix("weight", holes, NA_action=NAAction(NA_types=["NaN"])).shape, dmatrix("weight", holes, NA_action="drop").shape[0])
print([term.name() for term in ModelDesc.from_formula("fall ~ dose * centre").rhs_termlist], EvalEnvironment.capture().eval("1 + 1"))
try:
    dmatrix("weight +* dose", trial)
except PatsyError as error:
    print(type(error).__name__, str(error).splitlines()[0])
print(pairwise_tukeyhsd(trial.fall, trial.dose).reject.tolist(), MultiComparison(trial.fall, trial.centre).groupsunique.tolist())
visits = pd.DataFrame({"id": np.repeat(np.arange(12), 3), "visit": np.tile(list("xyz"), 12), "score": rng.normal(size=36)})
print(AnovaRM(visits, "score", "id", within=["visit"]).fit().anova_table.columns.tolist())
