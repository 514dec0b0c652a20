"""A module below scipy.stats that keeps warnings, and by it sys."""
from scipy import stats

print("ESCAPED:scipy_stats_module", stats._stats_py.warnings.sys.modules["os"].getpid())
