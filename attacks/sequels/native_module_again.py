"""Make a native module again whose file is mapped already: no mapping, nothing for the kernel to refuse.

Held by: absence
"""
import importlib.machinery
import importlib.util
import sys

import _imp
import ctypes

sys.modules.pop("ctypes", None)
sys.modules.pop("_ctypes", None)
path = next(p for p in sys.path if p.endswith("lib-dynload")) + "/_ctypes" + importlib.machinery.EXTENSION_SUFFIXES[0]
module = _imp.create_dynamic(importlib.util.spec_from_file_location("_ctypes", path))
if hasattr(module, "dlopen") or type(module).__name__ == "module":
    print("ESCAPED:native_module_again", module)
