"""Ask the garbage collector for the list of hooks, and empty it.

Held by: hook
Landlock: holds
"""
import gc

for each in gc.get_objects():
    if type(each) is list and len(each) == 1 and callable(each[0]) and getattr(each[0], "__module__", "") and "audit" in repr(each[0]).lower() + str(each[0].__module__):
        each.clear()
print("ESCAPED:hook_by_collector", open("@CANARY@").read())
