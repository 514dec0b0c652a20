"""A return annotation is evaluated."""


def f() -> print("ESCAPED:annotation_of_return", __import__("os").getpid()):
    return 1
