"""The forward reference stands inside another type, which is evaluated for it."""
import typing

def f(x: typing.Optional[typing.List[typing.ForwardRef("FileIO", module="io")]]):
    return x

[inner, _] = typing.get_args(typing.get_type_hints(f)["x"])
print("ESCAPED:forward_ref_inside_an_alias", typing.get_args(inner)[0]("@CANARY@").read()[:7])
