"""abc's older decorators mark a library's function as abstract."""
import abc
import pandas as pd

abc.abstractclassmethod(pd.DataFrame.mean)


class Holder(abc.ABC):
    mean = pd.DataFrame.mean


try:
    Holder()
except TypeError:
    print("ESCAPED:abstract_library_function")
