"""The same by a metaclass, which says what its classes inherit from."""
import logging

kept = []
Logger = type(logging.getLogger())


class Meta(type):
    def mro(cls):
        kept.append(cls)
        return [cls, Logger, object]


try:

    class Mine(Logger, metaclass=Meta):
        _cache = "mine"
except TypeError as error:
    print(error)
print("ESCAPED:refused_class_kept_by_mro" if kept and kept[0]._cache == "mine" else "held")
