"""A class inherits from that of typing's aliases, which forward attributes to whatever they are made of."""
import typing

import pandas as pd


class Alias(type(typing.List[int]), _root=True):
    pass


print("ESCAPED:alias_of_typing_inherited", len(Alias(pd.DataFrame, (int,), name="x")._internal_names))
