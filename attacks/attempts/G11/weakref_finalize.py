"""weakref's finalizers run at exit."""
import functools


class A:
    pass


a = A()
functools.singledispatch(lambda x: x).registry
import weakref

weakref.finalize(a, print, "ESCAPED:weakref_finalize")
