"""The hints of a named tuple hold a forward reference to a library's importer."""
import typing
import pandas as pd

N = typing.NamedTuple("N", [("x", typing.ForwardRef("import_optional_dependency", module="pandas.core.frame"))])
o = typing.get_type_hints(N)["x"]("o" + "s")
print("ESCAPED:forward_ref_of_a_named_tuple", o.getpid())
