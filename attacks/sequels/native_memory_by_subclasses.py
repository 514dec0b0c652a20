"""Find the types of ctypes among the subclasses of object.

Held by: absence
"""


def below(kind):
    for each in type.__subclasses__(kind):
        yield each
        yield from below(each)


import ctypes

pointers = [each for each in below(object) if each.__module__ == "_ctypes" and each.__name__ in ("CFuncPtr", "_CFuncPtr")]
simple = [each for each in below(object) if each.__module__ == "_ctypes"]
if not pointers:
    raise LookupError(f"there is no type of ctypes, only {simple}")
print("ESCAPED:native_memory_by_subclasses", pointers[0])
