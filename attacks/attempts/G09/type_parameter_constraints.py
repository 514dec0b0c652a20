"""A type parameter's constraints."""


class A[T: (__import__("os").getpid(), int)]:
    pass


print("ESCAPED:type_parameter_constraints", A.__type_params__[0].__constraints__)
