"""The private method that is handed a frame's namespace comes from a base that inherits from nothing."""
import pydantic


def init(self, ns_resolver, **options):
    found = ns_resolver.types_namespace
    if any("__builtins__" in held for held in (found.globals, found.locals)):
        print("ESCAPED:private_method_of_a_mixin")


class Mixin:
    _init_core_attrs = init


class Adapter(Mixin, pydantic.TypeAdapter):
    pass


Adapter(int, _parent_depth=2)
