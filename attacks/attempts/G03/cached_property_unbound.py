"""cached_property.__get__ with a self of the script's: it reads any object's __dict__."""
import functools
import random
import pandas as pd


class Lookup:
    attrname = "_mgr"
    func = None


series = pd.DataFrame({"a": [1]})
print("ESCAPED:cached_property_unbound", functools.cached_property.__get__(Lookup(), series))
