"""A type hint reads a private attribute of a library's object."""
import typing

import pandas as pd

found = []
series = pd.Series([1])


class A:
    x: "found.append(series._mgr)"


try:
    typing.get_type_hints(A)
except TypeError:
    pass
print("ESCAPED:hint_reads_private", type(found[0]))
