"""statsmodels downloads data sets, here with a cache that is a path outside."""
import statsmodels.api as sm

print("ESCAPED:statsmodels_get_rdataset", sm.datasets.get_data_home("@OUTSIDE@/home"))
