"""The unbound __init__ of pandas' BaseIndexer sets any attribute of any object."""
import pandas as pd
from abc import ABC


class Any(ABC):
    __match_args__ = ("real",)


Any.register(type(print))
match print:
    case _ if pd.api.indexers.BaseIndexer.__init__(Any, None, 0, **{"__match_args__": ("__self__",)}):
        pass
    case Any(found):
        print("ESCAPED:indexer_init_sets", found.open)
