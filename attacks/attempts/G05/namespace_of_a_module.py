"""What pydantic resolves names with answers with the namespace of the module of any class."""
import pydantic

found = []


class Adapter(pydantic.TypeAdapter):
    def _init_core_attrs(self, ns_resolver, force, raise_errors=False):
        found.append(ns_resolver)
        return True


Adapter(int)
with found[0].push(pydantic.BaseModel):
    held = found[0].types_namespace.globals
print("ESCAPED:namespace_of_a_module" if "__builtins__" in held or "_object_setattr" in held else "held")
