"""Before an abstract class has a registry of its own it writes into that of its base: in the hook of an entry."""
import collections.abc


class Entry:
    def __set_name__(self, owner, name):
        owner.register(int)


class Mine(collections.abc.Sequence):
    entry = Entry()


print("ESCAPED:registry_before_its_own" if isinstance(5, collections.abc.Sequence) else "held")
