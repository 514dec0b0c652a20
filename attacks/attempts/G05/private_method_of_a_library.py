"""A class replaces a private method of a library's, which is handed the namespace of a frame."""
import pydantic


def init(self, ns_resolver, **options):
    found = ns_resolver.types_namespace
    if any("__builtins__" in held for held in (found.globals, found.locals)):
        print("ESCAPED:private_method_of_a_library")


class Adapter(pydantic.TypeAdapter):
    _init_core_attrs = init


Adapter(int, _parent_depth=2)
