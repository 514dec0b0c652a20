import numpy as np, pandas as pd, statsmodels.api as sm, statsmodels.datasets as ds
from statsmodels.datasets import grunfeld, longley, star98, sunspots, macrodata, co2, fair, randhie, scotland, spector, stackloss, statecrime, strikes, anes96, cancer, ccard, china_smoking, copper, cpunish, elnino, engel, fertility, heart, interest_inflation, modechoice, nile, committee, danish_data
for m in (grunfeld, longley, star98, sunspots, macrodata, co2, fair, randhie, scotland, spector, stackloss, statecrime, strikes, anes96, cancer, ccard, china_smoking, copper, cpunish, elnino, engel, fertility, heart, interest_inflation, modechoice, nile, committee, danish_data):
    d = m.load_pandas()
    print(m.__name__.rsplit('.', 1)[1], d.data.shape, list(d.names)[:3] if hasattr(d, 'names') else '', None if getattr(d, 'endog', None) is None else np.shape(d.endog))
print(sm.datasets.longley.load().exog.head(2))
print(sm.datasets.macrodata.NOTE[:60], sm.datasets.co2.DESCRSHORT[:30], sm.datasets.star98.TITLE, sm.datasets.star98.SOURCE[:20], sm.datasets.star98.COPYRIGHT[:20])
ll = ds.longley.load_pandas()
print(sm.OLS(ll.endog, sm.add_constant(ll.exog)).fit().rsquared.round(4))
dta = sm.datasets.macrodata.load_pandas().data
dta.index = pd.PeriodIndex.from_fields(year=dta.year.astype(int), quarter=dta.quarter.astype(int), freq='Q') if hasattr(pd.PeriodIndex, 'from_fields') else pd.period_range('1959Q1', periods=len(dta), freq='Q')
print(dta.realgdp.pct_change().mul(400).describe().round(2))
try:
    sm.datasets.get_rdataset('Guerry', 'HistData').data
except Exception as e:
    print('no network')
