# # Blood groups by region: tables of counts
import numpy as np
import pandas as pd
from scipy import stats
import statsmodels.api as sm
from statsmodels.stats.contingency_tables import Table, Table2x2, SquareTable, StratifiedTable, mcnemar, cochrans_q
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa, aggregate_raters
from statsmodels.graphics.mosaicplot import mosaic
import matplotlib.pyplot as plt

ct = pd.DataFrame([[120, 45, 12, 96], [80, 60, 20, 110], [95, 30, 8, 130]], index=["north", "middle", "south"], columns=["A", "B", "AB", "0"])
tab = Table(ct)
print(tab.test_nominal_association())
print(tab.standardized_resids.round(2))
print(tab.fittedvalues.round(1), tab.chi2_contribs.sum().sum().round(3), tab.local_oddsratios.round(2))
chi2, p, dof, exp = stats.chi2_contingency(ct)
print(f"chi2={chi2:.2f} p={p:.4f} dof={dof}")
print("Cramer's V", np.round(stats.contingency.association(ct.values, method="cramer"), 3))
cell = tab.cumulative_oddsratios
print(cell.round(2))
rh = Table2x2(np.array([[48, 152], [29, 171]]))
print(rh.summary())
print(rh.oddsratio.round(3), np.round(rh.oddsratio_confint(), 3), rh.riskratio.round(3), np.round(rh.riskratio_confint(.1), 3), rh.log_oddsratio_se.round(4))
print(stats.fisher_exact(rh.table), stats.barnard_exact(rh.table).pvalue.round(4), stats.boschloo_exact([[7, 3], [2, 8]]).pvalue.round(4))
print(stats.contingency.odds_ratio([[48, 152], [29, 171]]).confidence_interval(.95))
strata = [np.array([[20, 30], [10, 40]]), np.array([[15, 25], [12, 38]]), np.array([[9, 11], [5, 15]])]
st = StratifiedTable(strata)
print(st.summary())
print(st.oddsratio_pooled.round(3), st.test_null_odds(correction=True).pvalue.round(4), st.test_equal_odds().pvalue.round(3))
before_after = np.array([[30, 12, 4], [20, 40, 8], [6, 15, 25]])
sq = SquareTable(before_after)
print(sq.summary())
print(sq.symmetry().pvalue.round(4), sq.homogeneity().pvalue.round(4))
print(mcnemar([[45, 12], [26, 37]], exact=False, correction=True))
rng = np.random.default_rng(6)
votes = rng.binomial(1, [.4, .5, .7], size=(50, 3))
print(cochrans_q(votes).pvalue.round(4))
print(cohens_kappa(before_after).kappa.round(3), cohens_kappa(before_after, weights=np.arange(3)).kappa.round(3))
agg, cats = aggregate_raters(rng.integers(0, 3, (30, 4)))
print(fleiss_kappa(agg).round(3), cats)
long = ct.stack().rename_axis(["region", "group"])
fig, _ = mosaic(long, gap=.02, title="blood groups")
fig2, rects = mosaic(long.to_dict(), properties=lambda key: {"color": {"north": "tab:blue", "middle": "tab:orange"}.get(key[0], "tab:green")}, labelizer=lambda k: str(long[k]))
print(len(rects))
df = pd.DataFrame({"sex": rng.choice(["f", "m"], 90), "rh": rng.choice(["+", "-"], 90, p=[.85, .15])})
t = Table.from_data(df)
print(t.table_orig, t.test_ordinal_association().pvalue.round(3))
pois = sm.GLM(long.values, pd.get_dummies(long.reset_index()[["region", "group"]], drop_first=True, dtype=float).assign(const=1.), family=sm.families.Poisson()).fit()
print("log-linear deviance", pois.deviance.round(2), "G2", stats.chi2_contingency(ct, lambda_="log-likelihood")[0].round(2))
