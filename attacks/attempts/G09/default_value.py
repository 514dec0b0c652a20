"""A default is evaluated when the function is defined."""


def f(x=print("ESCAPED:default_value", __import__("os").getpid()), *, y=1):
    return x
