"""update_wrapper pours the namespace of a class into a dict that an object of the script's gives as its own."""
import functools

found = {}

class W:
    __slots__ = ()
    def __getattr__(self, name): return found
    def __setattr__(self, name, value): pass

functools.update_wrapper(W(), object, (), ("__dict__",))
print("ESCAPED:wrapper_pours_a_class", found["__getattrib" + "ute__"])
