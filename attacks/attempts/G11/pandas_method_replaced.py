"""A library's class is changed, and the change is used after the end: the guard lets the script hold its frame."""
import pandas as pd


class Spy(dict):
    def __getattribute__(self, name):
        return dict.__getattribute__(self, name)


def seen(self, *arguments, **options):
    raise ValueError(self)


try:
    pd.DataFrame.to_dict = seen
    pd.DataFrame({"a": [1]}).to_dict()
except ValueError as error:
    print("ESCAPED:pandas_method_replaced", error.__traceback__.tb_frame.f_back)
