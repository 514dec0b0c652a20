"""An entry of sys.modules is replaced; the next import gets it."""
import statistics


class Fake:
    def __getattr__(self, name):
        print("ESCAPED:module_table", name)
        raise AttributeError(name)


statistics.sys.modules["fractions"] = Fake()
from fractions import Fraction
