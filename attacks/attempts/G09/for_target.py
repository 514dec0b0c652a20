"""A loop's target is an attribute or an item."""


class A:
    pass


a = A()
for a.found in [__import__("os")]:
    pass
for A.__init__ in [lambda self: print("ESCAPED:for_target", a.found.getpid())]:
    A()
