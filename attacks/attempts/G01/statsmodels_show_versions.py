"""statsmodels' API hands out a module with os."""
import statsmodels.api as sm

print("ESCAPED:statsmodels_show_versions", sm.datasets.utils.path.os.getpid() if False else sm.datasets.utils.environ["HOME"])
