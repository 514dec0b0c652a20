"""Cython's modules hand out their functions as capsules."""
import scipy.special
from scipy import LowLevelCallable

print("ESCAPED:capsule", LowLevelCallable.from_cython(scipy.special.cython_special, "j1") if hasattr(scipy.special, "cython_special") else scipy.special._ufuncs.__pyx_capi__)
