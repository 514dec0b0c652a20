"""The numbers beside the objects, as numpy's iterator shows them, are no array's view, and strided so that they show the objects."""
import numpy as np

secret, found = b"0123456789abcdef", np.zeros(3, [("it", "O"), ("count", "i8")])
counts = np.nditer(found["count"], flags=["external_loop"], op_flags=["readwrite"])[0]
counts.strides = (8,)
counts[1] = id(secret)
print("ESCAPED:object_fields_iterated", found["it"][1])
