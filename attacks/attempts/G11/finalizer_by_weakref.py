"""A finalizer of weakref's leads to the registry of all, by its class."""
import weakref


class A:
    pass


a = A()
print("ESCAPED:finalizer_by_weakref", type(weakref.finalize(a, print, ""))._registry)
