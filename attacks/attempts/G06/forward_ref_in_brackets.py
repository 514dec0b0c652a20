"""A forward reference gives a module as the argument of a generic alias, which is a type."""
import typing

def f(x: typing.ForwardRef("list[sys]", module="random" if False else "os")):
    return x

[module] = typing.get_args(typing.get_type_hints(f)["x"])
print("ESCAPED:forward_ref_in_brackets", module.version_info)
