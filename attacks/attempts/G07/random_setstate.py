"""A state that random unpickles: the C function behind Random calls hash of it."""
import random


class Evil:
    def __reduce__(self):
        return print, ("ESCAPED:random_setstate",)


import copy

copy.copy(Evil())
