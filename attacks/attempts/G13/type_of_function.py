"""The class of a function makes functions out of code."""


def f():
    return 1


function = type(f)
print("ESCAPED:type_of_function", function(f.__code__, {"__builtins__": {}})())
