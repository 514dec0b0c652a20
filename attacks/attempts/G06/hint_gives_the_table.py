"""A hint gives the builtins of a library's module as the argument of an alias."""
import typing

def f(x: typing.ForwardRef("list[__builtins__]", module="os")):
    return x

[table] = typing.get_args(typing.get_type_hints(f)["x"])
print("ESCAPED:hint_gives_the_table", type(table).__name__)
