"""A type parameter's bound is evaluated when somebody asks."""


def f[T: __import__("os").getpid()](x: T) -> T:
    return x


print("ESCAPED:type_parameter_bound", f.__type_params__[0].__bound__)
