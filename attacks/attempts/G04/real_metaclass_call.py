"""The real metaclass behind an abstract class is called with any namespace."""
import abc

A = abc.ABCMeta("A", (), {"__del" + "__": lambda self: print("ESCAPED:real_metaclass_call")})
a = A()
