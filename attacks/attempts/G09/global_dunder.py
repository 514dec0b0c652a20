"""global declares a name that is not a variable's."""


def f():
    global __builtins__
    __builtins__ = {"found": 1}
    return __builtins__


print("ESCAPED:global_dunder", f())
