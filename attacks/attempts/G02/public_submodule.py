"""A public submodule, not listed, of an allowed package."""
import pandas.io.common as common

print("ESCAPED:public_submodule", common.os.getpid())
