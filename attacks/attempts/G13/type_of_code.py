"""A code object is changed and run."""


def f():
    return ().__class__


code = type(f.__code__)
print("ESCAPED:type_of_code", code)
