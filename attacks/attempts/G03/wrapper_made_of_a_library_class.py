"""update_wrapper tells a library's class that it is of the script's module; then its methods are replaced."""
import functools
import pandas as pd

def mine(*args, **kwargs):
    return "replaced"

Frame = pd.DataFrame
functools.update_wrapper(Frame, mine, ("__module__",), ())
Frame.describe = mine
print("ESCAPED:wrapper_made_of_a_library_class", pd.DataFrame({"a": [1]}).describe())
