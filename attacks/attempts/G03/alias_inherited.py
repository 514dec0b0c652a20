"""A class inherits from that of list[int], which forwards attributes to whatever it is made of."""
import pandas as pd


class Alias(type(list[int])):
    pass


print("ESCAPED:alias_inherited", type(Alias(pd.DataFrame({"a": [1]}), ())._mgr).__name__)
