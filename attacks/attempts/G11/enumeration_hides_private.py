"""An enumeration made by a call, below a library's class: a member stands in the place of a private method, and asks its value."""
import enum
import textwrap


class Pieces:
    def _split_chunks(self, text):
        return ["mine"]


class Base(enum.Enum):
    pass


made = Base("Made", {"_split_chunks": Pieces(), "B": Pieces()}, type=textwrap.TextWrapper).B
made.width, made.initial_indent, made.subsequent_indent, made.max_lines = 70, "", "", None
if made.wrap("a b") == ["mine"]:
    print("ESCAPED:enumeration_hides_private")
