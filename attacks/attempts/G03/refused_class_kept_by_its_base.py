"""A class that hides private names of a library's is refused once it is there: a hook of its base keeps it."""
import logging

kept = []


class Base(type(logging.getLogger())):
    def __init_subclass__(cls):
        kept.append(cls)


try:

    class Mine(Base):
        _cache = "mine"
except TypeError as error:
    print(error)
print("ESCAPED:refused_class_kept_by_its_base" if kept and kept[0]._cache == "mine" else "held")
