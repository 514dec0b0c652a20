"""An import in a branch, a function, a class and an except clause."""


class A:
    try:
        raise ValueError
    except ValueError:
        if True:
            import os as found


print("ESCAPED:conditional", A.found.getpid())
