"""What such a class answers is remembered in its base's stead: a sequence is none any more, for everybody."""
import collections.abc


class Late(collections.abc.Sequence):
    __getitem__ = __len__ = None


class Entry:
    def __set_name__(self, owner, name):
        issubclass(Late, owner)


class Mine(collections.abc.Sequence):
    entry = Entry()


print("held" if issubclass(Late, collections.abc.Sequence) else "ESCAPED:registry_remembers_a_no")
