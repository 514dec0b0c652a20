"""The numbers beside the objects of an array are strided so that they show the objects."""
import numpy as np

secret, found = b"0123456789abcdef", np.zeros(3, [("it", "O"), ("count", "i8")])
counts = found["count"]
counts.strides = (8,)
counts[1] = id(secret)
print("ESCAPED:object_fields_restrided", found["it"][1])
