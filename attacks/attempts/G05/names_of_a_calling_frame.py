"""The same by rebuild: the variables of the function that calls."""
import pydantic

found = []


class Adapter(pydantic.TypeAdapter):
    def _init_core_attrs(self, ns_resolver, force, raise_errors=False):
        found.append(ns_resolver.types_namespace)
        return True


Adapter(int).rebuild(force=True, _parent_namespace_depth=2)
print("ESCAPED:names_of_a_calling_frame" if "__builtins__" in found[1].globals else "held")
