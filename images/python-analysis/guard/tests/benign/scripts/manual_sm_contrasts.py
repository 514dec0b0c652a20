import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.formula.api as smf
from patsy import dmatrix, dmatrices, ContrastMatrix, build_design_matrices, DesignInfo, EvalEnvironment, NAAction, ModelDesc, Term, EvalFactor, LookupFactor, demo_data, balanced, PatsyError, stateful_transform, bs, cr, cc, te, center, standardize, scale, Treatment, Sum, Poly, Helmert, Diff, incr_dbuilder, dmatrix as dm
from patsy.contrasts import ContrastMatrix as CM2, Treatment as Tr
from statsmodels.stats.anova import anova_lm, AnovaRM
from statsmodels.stats.multicomp import pairwise_tukeyhsd, MultiComparison, tukeyhsd

def _name_levels(prefix, levels):
    return ['[%s%s]' % (prefix, level) for level in levels]

class Simple:

    def _simple_contrast(self, levels):
        nlevels = len(levels)
        contr = -1.0 / nlevels * np.ones((nlevels, nlevels - 1))
        contr[1:][np.diag_indices(nlevels - 1)] = (nlevels - 1.0) / nlevels
        return contr

    def code_with_intercept(self, levels):
        return ContrastMatrix(np.column_stack((np.ones(len(levels)), self._simple_contrast(levels))), _name_levels('Simp.', levels))

    def code_without_intercept(self, levels):
        return ContrastMatrix(self._simple_contrast(levels), _name_levels('Simp.', levels[:-1]))

class Backward(object):

    def __init__(self, reference=0):
        self.reference = reference

    def code_with_intercept(self, levels):
        return ContrastMatrix(np.eye(len(levels)), [f'[B.{l}]' for l in levels])

    def code_without_intercept(self, levels):
        k = len(levels)
        c = np.array([[-(k - j) / k if i < j else j / k for j in range(1, k)] for i in range(k)])
        return ContrastMatrix(c, [f'[B.{l}]' for l in levels[1:]])

class Rank:
    """own stateful transform"""

    def __init__(self):
        self._seen = []

    def memorize_chunk(self, x):
        self._seen.extend(np.asarray(x).tolist())

    def memorize_finish(self):
        self._sorted = np.sort(self._seen)

    def transform(self, x):
        return np.searchsorted(self._sorted, np.asarray(x)) / len(self._sorted)
rank = stateful_transform(Rank)

def winsor(x, p=0.05):
    lo, hi = np.quantile(x, [p, 1 - p])
    return np.clip(x, lo, hi)
log_plus_1 = lambda x: np.log(x + 1.0)

def main():
    rng = np.random.default_rng(4)
    n = 240
    d = pd.DataFrame({'race': rng.integers(1, 5, n), 'dose': rng.choice(['lo', 'mid', 'hi'], n), 'x': rng.gamma(2, 2, n), 'id': np.repeat(np.arange(60), 4), 'cond': np.tile(list('abcd'), 60)})
    d['write'] = 40 + 3 * d.race + 2 * (d.dose == 'hi') + 0.5 * d.x + rng.normal(size=n) * 5
    for c in ('Treatment', 'Treatment(reference=2)', 'Sum', 'Helmert', 'Poly', 'Diff', 'Simple', 'Backward(1)'):
        r = smf.ols(f'write ~ C(race, {c})', d).fit()
        print(c, r.params.round(3).to_dict())
    print(Sum().code_without_intercept([1, 2, 3]).matrix, Poly().code_without_intercept([1, 2, 3]).matrix.round(3), Treatment(reference=0).code_with_intercept(list('ab')).column_suffixes)
    mod = smf.ols('write ~ C(race, Simple) * C(dose, Sum) + winsor(x, 0.1) + log_plus_1(x) + rank(x) + center(x):race + bs(x, df=4, degree=3)', d).fit()
    print(mod.rsquared.round(3))
    print(mod.model.data.design_info.describe() if hasattr(mod.model.data, 'design_info') else '')
    print(mod.predict(d.head(3)).round(2).tolist())
    for typ in (1, 2, 3):
        print(anova_lm(smf.ols('write ~ C(race, Sum) * C(dose, Sum)', d).fit(), typ=typ).round(3).to_string())
    print(anova_lm(smf.ols('write ~ x', d).fit(), smf.ols('write ~ x + C(race)', d).fit()).round(3).to_string())
    print(anova_lm(smf.ols('write ~ C(dose)', d).fit(), robust='hc3').round(3))
    print(AnovaRM(d, 'write', 'id', within=['cond']).fit().summary())
    print(AnovaRM(d, depvar='write', subject='id', within=['cond'], aggregate_func='mean').fit())
    tk = pairwise_tukeyhsd(d.write, d.dose, alpha=0.05)
    print(tk.summary())
    print(tk)
    print(tk.reject, tk.meandiffs.round(3), tk.confint.round(2))
    mc = MultiComparison(d.write, d.dose)
    print(mc.groupsunique, mc.kruskal())
    from scipy import stats
    print(mc.allpairtest(stats.ttest_ind, method='Holm')[0])
    y, X = dmatrices('write ~ np.sqrt(x) + C(dose) + C(race):x', d, return_type='dataframe')
    print(X.columns.tolist(), X.head(2).round(2).values.tolist())
    print(X.design_info.terms[:2], X.design_info.slice('C(dose)'), X.design_info.linear_constraint('x:C(race)[1] = 0') if 'x:C(race)[1]' in X.columns else X.design_info.column_name_indexes)
    new = build_design_matrices([X.design_info], d.head(2))[0]
    print(np.asarray(new).round(2).tolist())
    print(dmatrix('0 + cr(x, df=3) + te(cr(x, 3), cr(race, 3)) - 1', d).shape, dmatrix('cc(x, df=4)', d).shape, dmatrix('bs(x, knots=(2, 5), degree=2, include_intercept=True) - 1', d)[:1].round(3).tolist())
    print(ModelDesc.from_formula('y ~ a*b + (c + d)**2 - c:d').describe(), ModelDesc([Term([EvalFactor('y')])], [Term([]), Term([LookupFactor('x')])]).describe())
    odd = d.rename(columns={'x': 'x 1'})
    print(smf.ols('write ~ Q(\'x 1\') + Q("x 1"):C(dose)', odd).fit().params.round(2).to_dict())
    nan = d.copy()
    nan.loc[3, 'x'] = np.nan
    print(dmatrix('x', nan, NA_action='drop').shape)
    try:
        dmatrix('x', nan, NA_action='raise')
    except PatsyError as e:
        print('PatsyError', str(e).splitlines()[0])
    try:
        smf.ols('write ~ nope(x)', d).fit()
    except Exception as e:
        print(type(e).__name__, str(e)[:60])
    dd = demo_data('a', 'b', 'x', 'y', nlevels=3)
    print(sorted(dd))
    print(balanced(a=2, b=2))
    print(dmatrix('a + standardize(x)', dd).shape)
    env = EvalEnvironment.capture()
    print(type(env).__name__)
    z = 3.0

    def inner(df):
        k = df.x.mean()
        return smf.ols('write ~ I(x - k) + I(x > z)', df).fit().params.round(2).tolist()
    print(d.groupby('dose').apply(lambda g: smf.ols('write ~ x', g).fit().params, include_groups=False).round(3))
    print(sm.stats.anova_lm(mod, typ=2).index.tolist())
    print(smf.wls('write ~ x', d, weights=1 / d.x).fit().params.round(2).tolist(), smf.gls('write ~ x', d).fit().params.round(2).tolist(), smf.rlm('write ~ x', d, M=sm.robust.norms.TukeyBiweight()).fit().params.round(2).tolist(), smf.quantreg('write ~ x', d).fit(q=0.3).params.round(1).tolist(), smf.glsar('write ~ x', d, rho=1).iterative_fit(2).params.round(2).tolist())
if __name__ == '__main__':
    main()
