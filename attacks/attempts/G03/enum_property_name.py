"""enum's property looks its public name up in the member's value."""
import enum
import statistics


class Base:
    @staticmethod
    def thing():
        pass


class Describes:
    def __get__(self, instance, owner=None):
        return 1


Base.thing = Describes()


class Shape(Base, enum.Enum):
    thing = 1


found = vars(Shape).get("thing")
found.name = "__glo" + "bals__"


class Holder:
    _value_ = statistics.mean


value = found.__get__(Holder(), Shape)
print("ESCAPED:enum_property_name", value["sys"].modules["os"])
