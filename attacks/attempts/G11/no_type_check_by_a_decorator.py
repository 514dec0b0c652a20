"""A decorator of decorators writes into whatever a decorator returns: a library's class."""
import typing
import pandas as pd

typing.no_type_check_decorator(lambda anything: pd.Series)(1)
try:
    hints = typing.get_type_hints(pd.Series)
except NameError:
    hints = None
if hints == {}:
    print("ESCAPED:no_type_check_by_a_decorator")
