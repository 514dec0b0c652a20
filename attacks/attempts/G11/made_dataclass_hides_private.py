"""make_dataclass() makes a class below a library's, with a method in the place of a private one."""
import dataclasses
import textwrap


def pieces(self, text):
    return ["mine"]


Wrapper = dataclasses.make_dataclass("Wrapper", [], bases=(textwrap.TextWrapper,), namespace={"_split_chunks": pieces}, init=False)
if Wrapper().wrap("a b") == ["mine"]:
    print("ESCAPED:made_dataclass_hides_private")
