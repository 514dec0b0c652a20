"""update_wrapper writes into a library's class which module it is of: then its methods can be replaced."""
import functools
import pandas as pd


def mine(*args, **kwargs):
    return "replaced"


functools.update_wrapper(pd.DataFrame, mine, ("__module__",), ())
pd.DataFrame.describe = mine
if pd.DataFrame({"a": [1]}).describe() == "replaced":
    print("ESCAPED:module_of_class_copied")
