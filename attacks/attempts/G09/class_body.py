"""A class body runs, and its names are attributes."""


class A:
    [found] = [__import__("os")]


print("ESCAPED:class_body", A.found.getpid())
