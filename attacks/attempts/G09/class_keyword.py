"""A class's keyword is an expression."""


class A(metaclass=lambda *a: __import__("os")):
    pass


print("ESCAPED:class_keyword", A.getpid())
