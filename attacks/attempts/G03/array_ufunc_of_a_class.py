"""__array_ufunc__ is read of a class, and of super."""
import numpy as np


class Mine(np.ndarray):
    def ask(self):
        return super().__array_ufunc__(object, "__subclasses__")


print("ESCAPED:array_ufunc_of_a_class", len(np.zeros(1).view(Mine).ask()), len(np.matrix.__array_ufunc__(np.zeros(1), int, "mro")))
