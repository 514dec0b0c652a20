"""dataclasses.replace hands the traceback of an exception to its class."""
import dataclasses

box = []


@dataclasses.dataclass
class Field:
    x: int = 0


field = dataclasses.fields(Field)[0]
field.name = "__traceback__"


class Base(Exception):
    def __init__(self, *args, **given):
        box.append(given)


E = type("E", (Base,), {"__dataclass_fields__": {"x": field}})
try:
    raise E()
except E as error:
    dataclasses.replace(error)
print("ESCAPED:fields_of_traceback", box[-1]["__traceback__"])
