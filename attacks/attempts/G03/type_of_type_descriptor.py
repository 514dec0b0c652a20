"""The descriptor of a type's namespace is called by itself."""
import json

namespace = type.__dict__["__dict__"].__get__(json.JSONEncoder)
print("ESCAPED:type_of_type_descriptor", namespace["encode"].__globals__["__builtins__"])
