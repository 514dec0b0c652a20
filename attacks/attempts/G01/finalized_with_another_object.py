"""A masked array takes over the namespace of whatever it is told that it was made of."""
import numpy as np
from scipy.integrate import cubature


class Masked(np.ma.MaskedArray):
    pass


region = cubature(lambda x: np.sum(x, axis=-1), [0.0, 0.0], [1.0, 1.0]).regions[0]
masked = np.ma.zeros(2).view(Masked)
masked.__array_finalize__(region)
print("ESCAPED:finalized_with_another_object", masked._xp.core)
