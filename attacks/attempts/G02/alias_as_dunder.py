"""Binds the import under a name of the guard."""
import os as __builtins__

print("ESCAPED:alias_as_dunder", __builtins__.getpid())
