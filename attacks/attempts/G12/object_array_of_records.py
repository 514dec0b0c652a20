"""The same by numpy's records."""
import numpy as np

secret = b"0123456789abcdef"
found = np.recarray((1,), [("it", "O")], buf=np.array([id(secret)]))
print("ESCAPED:object_array_of_records", found.it[0])
