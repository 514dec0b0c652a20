"""dataclass() writes its methods into the class that it is given, a library's."""
import dataclasses
import json

dataclasses.dataclass(json.JSONDecoder)
if repr(json.JSONDecoder()) == "JSONDecoder()":
    print("ESCAPED:dataclass_of_library_class")
