"""weakref's registry of all finalizers, also those of libraries: each has a function to call at exit."""
import weakref


class A:
    pass


a = A()
ours = weakref.finalize(a, print)
print("ESCAPED:weakref_finalize", len(weakref.finalize._registry))
