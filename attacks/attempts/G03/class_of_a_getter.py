"""A schema of pydantic's holds an attrgetter: its class is the real one, and reads any attribute by name."""
import re

from pydantic import TypeAdapter

getter = TypeAdapter(re.Pattern).core_schema["serialization"]["function"]
found = type(getter)("__builtins__")(re.match)["getattr"]
print("ESCAPED:class_of_a_getter", found)
