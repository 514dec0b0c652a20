"""Load native code that is not in the process.

Held by: absence
"""
import importlib.machinery
import importlib.util
import sys

import _imp

name = "xxsubtype"
path = next(p for p in sys.path if p.endswith("lib-dynload")) + "/xxsubtype" + importlib.machinery.EXTENSION_SUFFIXES[0]
spec = importlib.util.spec_from_file_location(name, path)
module = _imp.create_dynamic(spec)
print("ESCAPED:native_module", module)
