"""pandas' BaseIndexer sets attributes by the names of its keywords: deepcopy asks the instance."""
import copy
from abc import ABC

import pandas as pd


def put(target, name, value):
    reduce = lambda protocol: (lambda: target, (), (None, {name: value}))
    copy.deepcopy(pd.api.indexers.BaseIndexer(None, 0, **{"__reduce_ex__": reduce}))


class A:
    pass


put(A, "__getattribute__", lambda self, name: print("ESCAPED:indexer_keywords"))
A().x
