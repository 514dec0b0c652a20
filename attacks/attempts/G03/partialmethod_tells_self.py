"""partialmethod writes the __self__ of what a descriptor answers into its partial; what copies that dict tells it."""
import functools


class Answers:
    def __get__(self, obj, kind):
        return len


class Holder:
    method = functools.partialmethod(Answers())


found = {}


class Wrapper:
    __slots__ = ()

    def __getattr__(self, name):
        return found

    def __setattr__(self, name, value):
        pass


functools.update_wrapper(Wrapper(), Holder().method)
print("ESCAPED:partialmethod_tells_self", [each for name, each in found.items() if hasattr(each, "open")][0].open)
