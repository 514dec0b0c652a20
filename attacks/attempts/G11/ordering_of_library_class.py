"""total_ordering writes the comparisons that are missing into the class that it is given."""
import functools
import json
import operator

json.JSONDecoder.__lt__ = lambda self, other: True
functools.total_ordering(json.JSONDecoder)
if operator.ge(json.JSONDecoder(), json.JSONDecoder()) is False:
    print("ESCAPED:ordering_of_library_class")
