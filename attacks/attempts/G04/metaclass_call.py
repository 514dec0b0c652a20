"""A metaclass whose call is eval."""


class Meta(type):
    __call__ = eval


class A(metaclass=Meta):
    pass


print("ESCAPED:metaclass_call", A("__import__('os').getpid()"))
