"""The hints of a typed dict hold a forward reference to the real getattr."""
import typing

T = typing.TypedDict("T", {"x": typing.ForwardRef("getattr", module="builtins")})
read = typing.get_type_hints(T)["x"]
print("ESCAPED:forward_ref_of_a_typed_dict", read(read(len, "__se" + "lf__"), "__na" + "me__"))
