"""lru_cache copies the namespace of a class that it caches, private functions included, into its own."""
import functools
import pandas as pd

cached = functools.lru_cache(pd.Series)
print("ESCAPED:cache_of_a_class", cached._get_value, len(vars(cached)))
