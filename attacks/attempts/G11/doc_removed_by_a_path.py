"""The same paths lead to a library's function: what it says of itself is taken from it."""
import json

from statsmodels.base.model import LikelihoodModelResults


class Result:
    pass


result = Result()
result.model, result._cache, result.x = Result(), {}, json.dumps
result._data_attr, result._data_in_cache, result.data_in_cache = ["x.__doc__"], [], []
result.model._data_attr = []
LikelihoodModelResults.remove_data(result)
print("ESCAPED:doc_removed_by_a_path" if json.dumps.__doc__ is None else "held")
