"""What is registered with a registered class is one of both: a float is a sequence."""
import abc
import collections.abc


class Mine(abc.ABC):
    pass


collections.abc.Sequence.register(Mine)
Mine.register(float)
print("ESCAPED:registry_by_a_third_class" if isinstance(5.0, collections.abc.Sequence) else "held")
