"""enum.global_enum replaces a function that a library calls: here the one that builds paths."""
import enum
import collections


class Stolen(str):
    def __call__(self, *args):
        print("ESCAPED:global_enum_replaces_function", len(args))
        return 1


enum.global_enum(enum.Enum("E", {"_iskeyword": "x"}, module="collections", type=Stolen))
collections.namedtuple("P", "a b")
