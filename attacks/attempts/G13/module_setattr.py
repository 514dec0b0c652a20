"""A module's class is a subclass of the script's, which sees every name that is asked."""
import math

seen = []


class Spy(type(math)):
    def __getattribute__(self, name):
        seen.append(name)
        return super().__getattribute__(name)


math.__class__ = Spy
math.pi
print("ESCAPED:module_setattr", seen)
