"""A slot of a class below a library's takes what the library keeps under a private name."""
import pandas as pd


class Table(pd.DataFrame):
    __slots__ = ("_mgr",)


print("ESCAPED:slots_hide_private", Table({"a": [1]})._mgr.blocks)
