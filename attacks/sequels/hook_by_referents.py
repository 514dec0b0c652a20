"""Ask the garbage collector what a function refers to.

Held by: hook
"""
import gc

print("ESCAPED:hook_by_referents", gc.get_referents(print))
