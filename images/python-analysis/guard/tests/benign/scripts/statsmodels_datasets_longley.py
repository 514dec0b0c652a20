"""The examples of ordinary least squares that statsmodels documents, with its data."""
import numpy as np
import statsmodels.api as sm
from statsmodels.datasets import engel, longley
from statsmodels.datasets.macrodata import load_pandas
from statsmodels.iolib.tableformatting import fmt_base
from statsmodels.regression.linear_model import OLS
from statsmodels.sandbox.regression.predstd import wls_prediction_std
from statsmodels.stats.moment_helpers import cov2corr
from statsmodels.tools.catadd import add_indep

data = longley.load_pandas()
exog = sm.add_constant(data.exog)
results = OLS(data.endog, exog).fit()
print(results.params.round(3).to_dict())
std, lower, upper = wls_prediction_std(results)
print(round(float(np.asarray(std)[0]), 3), bool(np.all(np.asarray(lower) < np.asarray(upper))))
print(np.round(cov2corr(np.asarray(results.cov_params()))[0, :3], 3).tolist())
print(sorted(engel.load_pandas().data.columns), load_pandas().data.shape)
print(sm.datasets.get_rdataset.__name__, len(fmt_base) > 3)
print(add_indep([np.ones(3), np.arange(3.0)], ["const", "x"])[1])
norm_x = exog.values / np.sqrt((exog.values**2).sum(axis=0))
print(bool(np.sqrt(np.linalg.eigvalsh(norm_x.T @ norm_x).max()) > 1))
print(results.summary().tables[1].as_csv().splitlines()[1].split(",")[0].strip())
