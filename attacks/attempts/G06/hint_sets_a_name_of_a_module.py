"""A type hint of a function sets a name of a module, by a target of several parts in a generator."""
import json
import typing

mine = lambda value: "mine"


def f(x: "type(*[[int for (json.dumps, *_) in [[mine]]][0](0) for _ in (0,)])"):
    pass


typing.get_type_hints(f)
print("ESCAPED:hint_sets_a_name_of_a_module" if json.dumps({}) == "mine" else "held")
