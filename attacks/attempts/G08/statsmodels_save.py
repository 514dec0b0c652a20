"""Results save themselves as a pickle anywhere."""
import statsmodels.api as sm

sm.OLS([1.0, 2.0], [1.0, 2.0]).fit().save("@OUTSIDE@/r.pickle")
print("ESCAPED:statsmodels_save")
