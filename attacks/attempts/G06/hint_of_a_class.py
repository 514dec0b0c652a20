"""typing.get_type_hints of a class whose annotation is a string."""
import typing


class A:
    x: "print('ESCAPED:hint_of_a_class', __import__('os').getpid())"


try:
    typing.get_type_hints(A)
except TypeError:
    pass
