"""Replace what a hook would call to judge a path, in every module that has it.

Held by: hook
Landlock: holds
"""
import builtins
import os
import sys

mine = os.getcwd() + "/mine"
for module in list(sys.modules.values()):
    for name in ("abspath", "realpath", "normpath", "fsdecode", "fspath", "exact_path", "_normal", "_beneath", "_refuse"):
        if module is not None and name in getattr(module, "__dict__", {}):
            try:
                setattr(module, name, (lambda *args: True) if name == "_beneath" else lambda *args, **more: mine)
            except (AttributeError, TypeError):
                pass
builtins.isinstance = lambda value, kind: kind is not int
try:
    text = builtins.open("@CANARY@").read()
finally:
    del builtins.isinstance
    builtins.isinstance = lambda value, kind: issubclass(type(value), kind)
print("ESCAPED:hook_by_its_callees", text)
