"""__array_function__ calls what the private attribute _implementation of a library's object is."""
import functools
import numpy as np


def wrapped():
    return "called"


class Holder(functools.partial):
    pass


holder = Holder(print)
vars(holder)["_implementation"] = wrapped
found = np.zeros(1).__array_function__(holder, (), (), {})
print("ESCAPED:array_function_private" if found == "called" else "held")
