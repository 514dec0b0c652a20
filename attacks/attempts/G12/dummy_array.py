"""numpy's own helper class carries any interface."""
import numpy as np

secret = b"0123456789abcdef"
interface = {"shape": (48,), "typestr": "|u1", "data": (id(secret), False), "version": 3}
array = np.asarray(np.lib._stride_tricks_impl.DummyArray(interface))
print("ESCAPED:dummy_array" if secret in bytes(array) else "held")
