"""A type parameter's default is evaluated when somebody asks."""
import typing


class A[T = __import__("os").getpid()]:
    pass


print("ESCAPED:type_parameter_default", A.__type_params__[0].__default__)
