"""A generic alias forwards attributes to what it is made of."""
from scipy import stats

try:
    stats.kstest([1.0], "nonexistent")
except AttributeError as error:
    module = type(list[int])(error, ()).obj
    print("ESCAPED:alias_forwards_obj", module.__name__)
