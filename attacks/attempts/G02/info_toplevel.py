"""np.info imports the module that it is asked to look for a name in, and prints what it finds."""
import contextlib
import io

import numpy as np

found = io.StringIO()
with contextlib.redirect_stdout(found):
    np.info("getpid", toplevel="os")
if "process id" in found.getvalue():
    print("ESCAPED:info_toplevel")
