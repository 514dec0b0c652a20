"""The annotations of typing's own functions hold the real type."""
import typing

Real = typing.get_protocol_members.__annotations__["tp"]


def look(cls, name):
    return ("__self__",) if name == "__match_args__" else None


Meta = Real("Meta", (Real,), {"__getattribute__": look, "__instancecheck__": lambda cls, instance: True})
Any = Meta("Any", (), {})
match print:
    case Any(found):
        print("ESCAPED:real_type_in_annotations", found.open)
