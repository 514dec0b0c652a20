"""A helper of statsmodels writes methods into the class that it is given."""
import collections

from statsmodels.tsa.holtwinters import results

class Wrapping:
    _attrs = {}
    _methods = {"conjugate": "columns"}
    _wrap_attrs = {}
    _wrap_methods = {"real": "columns"}


class Target:
    real = 1
    _wrap_methods = {"real": "columns"}
    _wrap_attrs = {}


results.populate_wrapper(Target, Wrapping)
print("ESCAPED:methods_by_populate_wrapper", Target, collections)
