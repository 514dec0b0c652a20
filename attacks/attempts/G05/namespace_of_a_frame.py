"""pydantic looks for types in the frame at a depth that it is told, and hands what it found to a method that a subclass overrides."""
import pydantic

found = []


class Adapter(pydantic.TypeAdapter):
    def _init_core_attrs(self, ns_resolver, force, raise_errors=False):
        found.append(ns_resolver.types_namespace)
        return True


Adapter(int, _parent_depth=1)
print("ESCAPED:namespace_of_a_frame" if "__builtins__" in found[0].globals else "held")
