"""The same as a name of its package."""
from pandas.io import common

print("ESCAPED:submodule_by_name", common.os.getpid())
