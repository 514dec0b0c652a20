"""A class of the script's without a registry of its own registers in that of its base."""
import collections.abc


class Mine(collections.abc.Sequence):
    pass


del Mine._abc_impl
Mine.register(int)
print("ESCAPED:registry_inherited" if isinstance(5, collections.abc.Sequence) else "held")
