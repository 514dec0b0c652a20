import numpy as np, pandas as pd, json
from collections import namedtuple
from statsmodels.stats.power import TTestIndPower, TTestPower, FTestAnovaPower, GofChisquarePower, NormalIndPower, FTestPower, zt_ind_solve_power, tt_ind_solve_power, tt_solve_power, normal_power, normal_sample_size_one_tail, normal_power_het
from statsmodels.stats.proportion import proportion_confint, proportions_ztest, proportion_effectsize, confint_proportions_2indep, test_proportions_2indep, multinomial_proportions_confint, binom_test, samplesize_confint_proportion, power_proportions_2indep, samplesize_proportions_2indep_onetail, proportions_chisquare, proportions_chisquare_allpairs, score_test_proportions_2indep, tost_proportions_2indep, binom_tost, proportion_effectsize as es
from statsmodels.stats.rates import test_poisson, confint_poisson, test_poisson_2indep, confint_poisson_2indep, power_poisson_ratio_2indep, tolerance_int_poisson
from statsmodels.stats.weightstats import DescrStatsW, CompareMeans, ttest_ind, ztest, zconfint, ttost_ind, ttost_paired, ztost
from statsmodels.stats.multitest import multipletests, fdrcorrection, local_fdr, NullDistribution, RegressionFDR, fdrcorrection_twostage
from statsmodels.stats.contingency_tables import Table, Table2x2, SquareTable, StratifiedTable, mcnemar, cochrans_q
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa, aggregate_raters, to_table
from statsmodels.stats.meta_analysis import combine_effects, effectsize_2proportions, effectsize_smd
from statsmodels.stats.descriptivestats import Description, describe, sign_test
from statsmodels.stats.nonparametric import rank_compare_2indep, rank_compare_2ordinal
from statsmodels.stats.oneway import anova_oneway, equivalence_oneway, effectsize_oneway, power_equivalence_oneway, test_scale_oneway, anova_generic
from statsmodels.stats.correlation_tools import corr_nearest, cov_nearest, cov_nearest_factor_homog, corr_clipped
from statsmodels.stats.multivariate import test_mvmean, confint_mvmean, test_cov, test_cov_diagonal, test_mvmean_2indep
from statsmodels.stats.gof import powerdiscrepancy, gof_chisquare_discrete, gof_binning_discrete, chisquare_effectsize
from statsmodels.stats.moment_helpers import cov2corr, corr2cov, mc2mnc, mnc2mc, mvsk2mc
from statsmodels.stats.sandwich_covariance import cov_cluster, cov_hac, cov_white_simple, se_cov
from statsmodels.stats.dist_dependence_measures import distance_correlation, distance_covariance_test
from statsmodels.stats.knockoff_regeffects import CorrelationEffects, OLSEffects
from statsmodels.stats.libqsturng import psturng, qsturng
from statsmodels.stats.regularized_covariance import RegularizedInvCovariance
from statsmodels.stats.robust_compare import TrimmedMean, trim_mean, scale_transform
Row = namedtuple('Row', 'what value')

def main():
    rng = np.random.default_rng(12)
    out = []
    add = lambda w, v: out.append(Row(w, np.round(np.asarray(v, float), 4).tolist()))
    p = TTestIndPower()
    add('n', p.solve_power(effect_size=0.5, power=0.8, alpha=0.05))
    add('power', p.power(0.5, 60, 0.05, ratio=1, alternative='larger'))
    add('paired', TTestPower().solve_power(0.4, nobs=None, alpha=0.05, power=0.9))
    add('anova', FTestAnovaPower().solve_power(0.25, k_groups=4, power=0.8, alpha=0.05, nobs=None))
    add('gof', GofChisquarePower().solve_power(0.3, nobs=100, n_bins=4, alpha=0.05))
    add('zt', zt_ind_solve_power(effect_size=es(0.6, 0.5), alpha=0.05, power=0.8))
    add('het', normal_power_het(0.5, 50, 0.05))
    add('ftest', FTestPower().solve_power(effect_size=0.3, df_num=3, df_denom=None, alpha=0.05, power=0.8))
    for m in ('normal', 'agresti_coull', 'beta', 'wilson', 'jeffreys'):
        add(m, proportion_confint(17, 40, method=m))
    add('ztest', proportions_ztest([40, 60], [100, 100]))
    add('2ind', confint_proportions_2indep(40, 100, 60, 100, method='newcomb', compare='diff'))
    t = test_proportions_2indep(40, 100, 60, 100, method='score', return_results=True)
    add('score', [t.statistic, t.pvalue])
    print(t)
    add('multi', multinomial_proportions_confint([10, 20, 30]))
    add('chisq', proportions_chisquare([10, 20], [40, 50])[:2])
    add('tost', tost_proportions_2indep(40, 100, 42, 100, -0.2, 0.2).pvalue)
    pw = power_proportions_2indep(0.1, 0.5, 100)
    print(pw.power.round(3))
    r2 = test_poisson_2indep(30, 100, 20, 110, method='etest')
    print(round(r2.pvalue, 4))
    add('ci2', confint_poisson_2indep(30, 100, 20, 110))
    add('ppr', power_poisson_ratio_2indep(1.5, 0.3, 100, return_results=False))
    a, b = (rng.normal(0, 1, 30), rng.normal(0.5, 1.2, 35))
    d = DescrStatsW(a, weights=rng.uniform(1, 2, 30))
    add('d', [d.mean, d.std, *d.tconfint_mean()])
    cm = CompareMeans(DescrStatsW(a), DescrStatsW(b))
    print(cm.summary(usevar='unequal'))
    add('tost', ttost_ind(a, b, -1, 1)[0])
    add('cm', cm.tconfint_diff(usevar='unequal'))
    add('z', ztest(a, b))
    add('quant', d.quantile([0.25, 0.5], return_pandas=False))
    print(d.quantile([0.1, 0.9]).round(3))
    pv = rng.uniform(size=12) ** 2
    for m in ('bonferroni', 'sidak', 'holm-sidak', 'holm', 'simes-hochberg', 'hommel', 'fdr_bh', 'fdr_by', 'fdr_tsbh', 'fdr_tsbky', 'fdr_gbs'):
        add(m, multipletests(pv, method=m)[1][:3])
    add('fdr', fdrcorrection(pv)[1][:2])
    zs = np.r_[rng.normal(size=400), rng.normal(3, 1, 40)]
    add('lfdr', local_fdr(zs)[:2])
    nd = NullDistribution(zs)
    add('nd', [nd.mean, nd.sd])
    T = Table2x2([[30, 10], [15, 25]])
    print(T.summary())
    add('or', [T.oddsratio, *T.oddsratio_confint(), T.riskratio])
    tt = Table(np.array([[20, 10, 5], [5, 15, 10]]))
    print(tt.test_nominal_association())
    print(tt.test_ordinal_association())
    print(tt.fittedvalues.round(2), tt.resid_pearson.round(2), tt.local_oddsratios.round(2))
    st = StratifiedTable([np.array([[10, 5], [4, 8]]), np.array([[12, 6], [5, 9]])])
    print(st.summary())
    print(mcnemar([[20, 5], [12, 30]], exact=True), cochrans_q(rng.integers(0, 2, (20, 3))))
    print(StratifiedTable.from_data('x', 'y', 's', pd.DataFrame({'x': rng.integers(0, 2, 99), 'y': rng.integers(0, 2, 99), 's': rng.integers(0, 3, 99)})).oddsratio_pooled.round(3))
    print(Table.from_data(pd.DataFrame({'a': rng.choice(list('xy'), 60), 'b': rng.choice(list('uvw'), 60)})).table_orig.shape)
    rt = rng.integers(0, 3, (40, 3))
    tab, cats = aggregate_raters(rt)
    add('fleiss', fleiss_kappa(tab))
    ck = cohens_kappa(to_table(rt[:, :2], bins=3)[0])
    print(ck)
    add('kappa', [ck.kappa, ck.std_kappa])
    m = combine_effects(rng.normal(0.3, 0.2, 6), rng.uniform(0.02, 0.1, 6), method_re='dl', row_names=[f's{i}' for i in range(6)])
    print(m.summary_frame().round(3).to_string())
    add('eff', effectsize_2proportions(np.array([5, 8]), np.array([20, 30]), np.array([9, 10]), np.array([22, 31]))[0])
    add('smd', effectsize_smd(1.2, 0.5, 20, 0.9, 0.6, 22))
    print(describe(pd.DataFrame({'a': a})).head(5))
    print(Description(pd.DataFrame({'a': a[:20], 'c': list('xy') * 10}), stats=['nobs', 'mean', 'missing', 'std']).frame)
    add('sign', sign_test(a))
    rc = rank_compare_2indep(a, b)
    print(rc.summary())
    add('rc', [rc.prob1, *rc.conf_int()])
    add('eqo', equivalence_oneway([a, b], 0.5).pvalue)
    C = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    add('near', corr_nearest(C)[0])
    add('mv', test_mvmean(rng.normal(size=(30, 2))).statistic)
    add('pd', powerdiscrepancy([10, 20, 30], [20, 20, 20], 'freeman_tukey'))
    add('cov', cov2corr(np.array([[4, 1], [1, 9.0]])))
    add('mc', mnc2mc([1, 2, 5.0]))
    add('dc', distance_correlation(a, b[:30]))
    tm = TrimmedMean(a, 0.1)
    add('tm', [tm.mean_trimmed, *tm.ttest_mean(0)[:2]])
    print(json.dumps([r._asdict() for r in out])[:9000])
main()
