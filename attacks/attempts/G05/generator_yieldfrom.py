"""What a generator waits for."""


def inner():
    yield 1


def outer():
    yield from inner()


g = outer()
next(g)
print("ESCAPED:generator_yieldfrom", g.gi_yieldfrom.gi_frame.f_back)
