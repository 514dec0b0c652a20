"""A subscription calls __class_getitem__, a call's keyword is a mapping."""


class A:
    def __class_getitem__(cls, function):
        return function(**{"name": "os"})


print("ESCAPED:subscript_of_type", A[__import__].getpid())
