"""setattr writes a special method."""


class A:
    pass


setattr(A, "__del" + "__", lambda self: print("ESCAPED:setattr_on_class"))
a = A()
