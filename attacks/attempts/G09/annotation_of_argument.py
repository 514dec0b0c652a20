"""An argument's annotation is evaluated."""


def f(x: print("ESCAPED:annotation_of_argument", __import__("os").getpid())):
    return x
