"""A base gets the private method when the library's heir has been made."""
import pydantic


def init(self, ns_resolver, **options):
    found = ns_resolver.types_namespace
    if any("__builtins__" in held for held in (found.globals, found.locals)):
        print("ESCAPED:private_method_set_later")


class Mixin:
    pass


class Adapter(Mixin, pydantic.TypeAdapter):
    pass


Mixin._init_core_attrs = init
Adapter(int, _parent_depth=2)
