"""To remove a result's data is to set attributes to None, by paths that the object gives."""
import logging

from statsmodels.base.model import LikelihoodModelResults


class Result:
    pass


logging.basicConfig()
handler = logging.getLogger().handlers[0]
result = Result()
result.model, result._cache, result.x = Result(), {}, handler
result._data_attr, result._data_in_cache, result.data_in_cache = ["x._name"], [], []
result.model._data_attr = []
handler.set_name("mine")
LikelihoodModelResults.remove_data(result)
print("ESCAPED:data_removed_by_a_path" if handler.get_name() is None else "held")
