"""abc marks what it is given as abstract, also a library's class."""
import abc
import pandas as pd

abc.abstractmethod(pd.DataFrame)


class Holder(abc.ABC):
    table = pd.DataFrame


try:
    Holder()
except TypeError:
    print("ESCAPED:abstract_library_class")
