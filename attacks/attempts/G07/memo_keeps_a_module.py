"""A memo that answers for all that cannot be copied keeps the namespace in which a module is."""
import copy
from scipy import integrate


class Memo(dict):
    left = 3
    kept = []

    def get(self, key, default=None):
        self.left -= 1
        return default if self.left >= 0 else None

    def __getitem__(self, key):
        return self.kept


region = integrate.cubature(lambda x: x[..., 0], [0.0], [1.0]).regions[0]
memo = Memo()
try:
    copy.deepcopy(region, memo)
except TypeError:
    pass
for each in memo.kept:
    if type(each) is dict and "_xp" in each:
        print("ESCAPED:memo_keeps_a_module", each["_xp"].__name__)
