"""So does that of a model whose enumerations become their values."""
import enum
import re

from pydantic import ConfigDict, TypeAdapter


class Colour(enum.Enum):
    RED = 1


getter = TypeAdapter(Colour, config=ConfigDict(use_enum_values=True)).core_schema["function"]["function"]
print("ESCAPED:class_of_an_enumerations_getter", list(map(type, [getter]))[0]("__builtins__")(re.match)["getattr"])
