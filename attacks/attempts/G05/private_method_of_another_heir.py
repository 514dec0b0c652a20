"""The private method stands in a class of another library's, which does not use its name."""
import string

import pydantic


def init(self, ns_resolver, **options):
    found = ns_resolver.types_namespace
    if any("__builtins__" in held for held in (found.globals, found.locals)):
        print("ESCAPED:private_method_of_another_heir")


class Format(string.Formatter):
    _init_core_attrs = init


class Adapter(Format, pydantic.TypeAdapter):
    pass


Adapter(int, _parent_depth=2)
