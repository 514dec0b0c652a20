"""The class of an alias is made by a call, and inherits from the alias's behind another one."""
import logging


class Between:
    pass


Alias = type("Alias", (Between, type(list[int])), {})
print("ESCAPED:alias_inherited_by_type", Alias(logging.getLogger("x").manager, ())._fixupParents.__name__)
