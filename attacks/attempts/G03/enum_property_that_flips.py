"""enum.property is asked twice what it reads: one of a subclass answers differently the second time."""
import enum
import json


class Flips(enum.property):
    seen = 0

    def __init__(self):
        pass

    def __set_name__(self, owner, name):
        self.name = "__globals__"

    @property
    def fget(self):
        self.seen += 1
        return self.seen == 1 or None

    _attr_type = property(lambda self: "attr")
    _cls_type = property(lambda self: json.dumps)


class A:
    x = Flips()


for _ in range(3):
    try:
        found = A().x
    except Exception:
        continue
    if isinstance(found, dict):
        print("ESCAPED:enum_property_that_flips", found["__builtins__"])
