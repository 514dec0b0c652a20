"""weakref calls a function of the script's when the process ends."""
import weakref


class A:
    pass


a = A()
weakref.finalize(a, print, "ESCAPED:finalizer_by_weakref")
