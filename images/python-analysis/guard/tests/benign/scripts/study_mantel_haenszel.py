import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.stats.contingency_tables import StratifiedTable, Table2x2, mcnemar

df = patients.merge(events, on="patient_id").assign(exposed=lambda d: (d["arm"] == "active").astype(int))
tables = []
for site, part in df.groupby("site"):
    t = pd.crosstab(part["exposed"], part["event"]).reindex(index=[1, 0], columns=[1, 0], fill_value=0)
    t22 = Table2x2(t.values.astype(float))
    lo, hi = t22.oddsratio_confint()
    print(f"Site {site}: OR {t22.oddsratio:.2f} ({lo:.2f}-{hi:.2f}), RR {t22.riskratio:.2f}")
    tables.append(t.values)

st = StratifiedTable(tables)
print("MH pooled OR: %.3f" % st.oddsratio_pooled)
print("95%% CI: %.3f to %.3f" % st.oddsratio_pooled_confint())
print("null odds p: %.4f" % st.test_null_odds().pvalue)
print("homogeneity p: %.4f" % st.test_equal_odds().pvalue)
print(st.summary())

paired = np.array([[45, 12], [25, 38]])
m = mcnemar(paired, exact=True)
print(f"McNemar: statistic={m.statistic:.0f} p={m.pvalue:.4f}")
