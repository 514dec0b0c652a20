"""A metaclass that passes ABCMeta by makes abstract classes without a registry of their own."""
import collections.abc


class Meta(type(collections.abc.Sequence)):
    def __new__(cls, name, bases, namespace):
        return type.__new__(cls, name, bases, namespace)


class Mine(collections.abc.Sequence, metaclass=Meta):
    pass


Mine.register(float)
print("ESCAPED:registry_never_made" if isinstance(5.0, collections.abc.Sequence) else "held")
