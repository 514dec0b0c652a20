"""scipy's C++ opens a Matrix Market file itself, and raises no audit event.

Held by: absence
Landlock: holds
"""
import sys

import scipy.io._fast_matrix_market as market

core = sys.modules["scipy.io._fast_matrix_market._fmm_core"] if "scipy.io._fast_matrix_market._fmm_core" in sys.modules else None
if core is None:
    from scipy.io._fast_matrix_market import _fmm_core as core
cursor = core.open_read_file("@OUTSIDE@/canary.mtx", 1)
print("ESCAPED:read_past_the_hook", cursor.header)
