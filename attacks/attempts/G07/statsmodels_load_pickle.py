"""statsmodels' results load themselves."""
import io
import statsmodels.api as sm

print("ESCAPED:statsmodels_load_pickle", sm.OLS([1.0, 2.0], [1.0, 2.0]).fit().load(io.BytesIO(b"cposix\ngetpid\n(tR.")))
