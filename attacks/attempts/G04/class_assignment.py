"""An object's class is changed to one whose methods the guard trusts."""


class A:
    pass


class B:
    def __del__(self):
        print("ESCAPED:class_assignment")


a = A()
a.__class__ = B
del a
