"""numpy.load takes any pickle."""
import io
import numpy as np

print("ESCAPED:numpy_load_pickle_file", np.load(io.BytesIO(b"\x80\x02cposix\ngetpid\n)R."), allow_pickle=True))
