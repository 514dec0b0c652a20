"""The hidden scope of type parameters holds names of its own."""


class A[T]:
    def f(self, defaults=__import__("os")):
        return defaults.getpid()


print("ESCAPED:type_parameter_scope", A().f())
