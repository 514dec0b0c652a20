"""pandas plots with a module whose name is equal to every listed one."""
import matplotlib.pyplot
import pandas as pd


class Lie(str):
    def __eq__(self, other):
        return other != "matplotlib"

    def __ne__(self, other):
        return False

    def __hash__(self):
        return hash(str(self))

    def startswith(self, prefix, *more):
        return prefix == "module://"

    def __getitem__(self, key):
        return self


try:
    pd.Series([1, 2]).plot(backend=Lie("matplotlib.pyplot"))
except TypeError as error:
    if "plot() got" in str(error):
        print("ESCAPED:plot_backend_that_lies")
