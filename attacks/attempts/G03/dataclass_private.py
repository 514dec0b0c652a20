"""A dataclass that inherits from a library's class reads its private attributes by its generated code."""
import dataclasses
import json

found = []


class Catch:
    def __eq__(self, other):
        found.append(other)
        return True


@dataclasses.dataclass(init=False, repr=False)
class Reader(json.JSONDecoder):
    scan_once: object

    def __init__(self):
        super().__init__()


a, b = Reader(), Reader()
a.scan_once = Catch()
a == b
print("ESCAPED:dataclass_private", found[0].__class__.__base__.__subclasses__())
