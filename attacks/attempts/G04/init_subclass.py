"""A hook that runs when a class is made, bound to exec."""


class A:
    __init_subclass__ = classmethod(lambda cls, code: exec(code))


class B(A, code="import os; print('ESCAPED:init_subclass', os.getpid())"):
    pass
