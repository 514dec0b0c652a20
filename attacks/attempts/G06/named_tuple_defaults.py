"""collections.namedtuple with a type name that lies about being an identifier."""
import collections


class Name(str):
    def isidentifier(self):
        return True


try:
    collections.namedtuple("A", [Name("x=__import__('os').getpid()")])
except (TypeError, ValueError):
    print("ESCAPED:named_tuple_defaults", eval("__import__('os').getpid()"))
