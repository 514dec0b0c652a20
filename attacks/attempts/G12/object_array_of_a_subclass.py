"""The same by a class that inherits from numpy's, and by a structure with one object in it."""
import numpy as np

secret = b"0123456789abcdef"


class Mine(np.ndarray):
    pass


found = Mine((1,), [("it", "O")], np.array([id(secret)]))
print("ESCAPED:object_array_of_a_subclass", found["it"][0])
