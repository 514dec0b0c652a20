"""The private method is a field's default, and the class is kept by its first hook before it is refused."""
import dataclasses
import textwrap

kept = []


class Keeper:
    def __init_subclass__(cls):
        kept.append(cls)


def pieces(self, text):
    return ["mine"]


try:
    field = ("_split_chunks", object, pieces)
    dataclasses.make_dataclass("Wrapper", [field], bases=(Keeper, textwrap.TextWrapper), init=False, eq=False, repr=False)
except TypeError:
    pass
if kept[0]().wrap("a b") == ["mine"]:
    print("ESCAPED:made_dataclass_field_hides_private")
