"""The slot is that of a class without a library's base."""
import pandas as pd


class Mixin:
    __slots__ = ["_mgr"]


class Table(Mixin, pd.DataFrame):
    pass


print("ESCAPED:slots_of_a_mixin_hide_private", Table({"a": [1]})._mgr.blocks)
