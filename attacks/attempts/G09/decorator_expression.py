"""A decorator is any expression."""


@(lambda f: __import__("os").getpid())
def found():
    pass


print("ESCAPED:decorator_expression", found)
