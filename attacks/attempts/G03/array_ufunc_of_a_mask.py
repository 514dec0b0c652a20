"""__array_ufunc__ of a masked array, which inherits it, bound and by getattr."""
import numpy as np

found = getattr(np.ma.masked_array([1]), "__array_" + "ufunc__")(object, "__subclasses__")
print("ESCAPED:array_ufunc_of_a_mask", len(found))
