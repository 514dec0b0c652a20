"""The function behind numpy.load."""
import io
import numpy as np

header = repr({"descr": "|O", "fortran_order": False, "shape": (1,)}).ljust(117).encode() + b"\n"
stream = io.BytesIO(b"\x93NUMPY\x01\x00v\x00" + header + b"cposix\ngetpid\n(tR.")
print("ESCAPED:numpy_format_read", np.lib.format.read_array(stream, allow_pickle=True))
