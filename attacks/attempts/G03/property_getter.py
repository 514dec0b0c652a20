"""A property whose getter is a library's descriptor of a refused attribute."""


def f():
    pass


class Read:
    found = property(lambda self: type(f).__globals__.__get__(f))


print("ESCAPED:property_getter", Read().found["__builtins__"])
