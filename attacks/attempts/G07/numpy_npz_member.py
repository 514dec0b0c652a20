"""A member of an .npz archive is an object array."""
import io
import numpy as np

target = io.BytesIO()
np.savez(target, a=np.array([{}], dtype=object))
data = target.getvalue()
class Evil:
    def __reduce__(self):
        return print, ("ESCAPED:numpy_npz_member",)
target = io.BytesIO()
np.savez(target, a=np.array([Evil()], dtype=object))
target.seek(0)
np.load(target, allow_pickle=True)["a"]
