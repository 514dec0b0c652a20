"""dataclass(slots=True) makes a class anew of a namespace: a base's private attribute becomes the script's."""
import dataclasses
import string


@dataclasses.dataclass(slots=True)
class Mine(string.Formatter):
    _x: int = 0

    def fields(self):
        return self._vformat


print("ESCAPED:own_by_slots_dataclass", Mine().fields().__func__.__globals__["_string"])
