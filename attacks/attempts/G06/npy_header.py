"""The header of an .npy file is a literal; of old files a cleaned one."""
import io
import numpy as np

found = []


class Codec(io.BytesIO):
    def read(self, size=-1):
        found.append(size)
        return super().read(size)


header = b"{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1,)}".ljust(117) + b"\n"
stream = Codec(b"\x93NUMPY\x01\x00v\x00" + header + b"cposix\ngetpid\n(tR.")
print("ESCAPED:npy_header", np.load(stream, allow_pickle=True))
