"""make_dataclass makes the class of the alias."""
import dataclasses
import logging

Alias = dataclasses.make_dataclass("Alias", [], bases=(type(list[int]),), init=False, eq=False, repr=False)
print("ESCAPED:alias_inherited_by_dataclass", Alias(logging.getLogger("x").manager, ())._fixupParents.__name__)
