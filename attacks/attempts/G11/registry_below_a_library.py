"""What is registered with a class of the script's is one of its bases', too: a float is a sequence."""
import collections.abc


class Mine(collections.abc.Sequence):
    pass


Mine.register(float)
print("ESCAPED:registry_below_a_library" if isinstance(5.0, collections.abc.Sequence) else "held")
