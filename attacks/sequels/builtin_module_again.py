"""Make a built-in module again, with the functions that were taken from the first one.

Held by: absence
"""
import importlib.machinery
import sys

import _imp

for name in ("posix", "gc", "faulthandler"):
    sys.modules.pop(name, None)
    spec = importlib.machinery.ModuleSpec(name, None, origin="built-in")
    module = _imp.create_builtin(spec)
    _imp.exec_builtin(module)
    if name == "posix":
        module.umask(0o22)
        print("ESCAPED:builtin_module_again", module.umask)
