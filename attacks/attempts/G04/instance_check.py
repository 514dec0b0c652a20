"""A metaclass's __instancecheck__ makes isinstance lie to the guard and to libraries."""
import abc

Meta = abc.ABCMeta("Meta", (type,), {"__instance" + "check__": lambda cls, other: print("ESCAPED:instance_check") or True})


class A(metaclass=Meta):
    pass


isinstance(1, A)
