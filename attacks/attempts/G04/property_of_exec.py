"""A property whose getter is a code runner."""


class A(str):
    value = property(eval)


print("ESCAPED:property_of_exec", A("__import__('os').getpid()").value)
