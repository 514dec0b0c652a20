"""A class made by a call says that it is of a library's module, by a text that is equal to every other."""
import enum


class Lie(str):
    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


made = [lambda: type("A", (), {"__module__": Lie("json")}), lambda: enum.Enum("E", "a", module=Lie("json"))]
for make in made:
    try:
        said = str.__str__(make().__module__)
    except Exception:
        continue
    if said == "json":
        print("ESCAPED:module_that_lies", said)
