"""numpy makes an array of objects over numbers, which it then follows as pointers."""
import numpy as np

secret = b"0123456789abcdef"
print("ESCAPED:object_array_over_numbers", np.ndarray((1,), object, buffer=np.array([id(secret)]))[0])
