"""A type hint sets an attribute: the target of a comprehension may be one."""
import json
import typing

mine = lambda self, value: "mine"


class Held:
    x: "[int for json.JSONEncoder.encode in [mine]][0]"


typing.get_type_hints(Held)
print("ESCAPED:hint_sets_an_attribute" if json.dumps({}, indent=1) == "mine" else "held")
