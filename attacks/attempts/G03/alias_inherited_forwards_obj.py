"""A generic alias of a class of the script's forwards the obj of an AttributeError."""
from scipy import stats


class Alias(type(list[int])):
    pass


try:
    stats.kstest([1.0], "nonexistent")
except AttributeError as error:
    print("ESCAPED:alias_inherited_forwards_obj", Alias(error, ()).obj.__name__)
