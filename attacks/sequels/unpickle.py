"""Let pickle find any function.

Held by: hook
"""
import pickle

print("ESCAPED:unpickle", pickle.loads(b"cposix\ngetpid\n(tR."))
