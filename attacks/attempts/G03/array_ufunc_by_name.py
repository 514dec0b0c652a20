"""__array_ufunc__ of an array calls the method of any object by the name that it is told."""
import numpy as np


def mine():
    pass


found = np.zeros(2).__array_ufunc__(mine, "__getattribute__", "__globals__")
print("ESCAPED:array_ufunc_by_name", type(found).__name__)
