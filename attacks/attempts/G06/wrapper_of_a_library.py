"""A function of the script's has hints of its own and wraps a library's."""
import functools
import typing
import pandas as pd

@functools.wraps(pd.DataFrame.merge, assigned=())
def mine(x: "list[import_optional_dependency]"):
    return x

[importer] = typing.get_args(typing.get_type_hints(mine)["x"])
print("ESCAPED:wrapper_of_a_library", importer("o" + "s").getpid())
