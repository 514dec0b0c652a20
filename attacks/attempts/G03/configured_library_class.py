"""pydantic writes a configuration into the class that it is given, a library's."""
import pandas as pd
import pydantic

pydantic.with_config(pydantic.ConfigDict(title="planted"))(pd.Series)
names = [name for name in dir(pd.Series) if name.startswith("__pydantic")]
print("ESCAPED:configured_library_class", names or pydantic.with_config)
