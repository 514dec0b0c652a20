"""Settings whose keys are attributes, consoles that share what they know, and records made of a dict."""
import copy
import json


class Settings(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


well = Settings(depth=3, name="well")
well.level = 7
well["sensor"] = "s1"
print(well, well.sensor, well["level"], well.depth, json.dumps(well), vars(well) is well, "level" in well.__dict__)
del well.level
try:
    print(well.level)
except AttributeError as error:
    print("gone:", error)
print(well.get("level"), list(well.items()), hasattr(well, "depth"), getattr(well, "pump", 4))
try:
    del well.nothing
except AttributeError:
    print("there was nothing")


class Basin(Settings):
    kind = "basin"

    @property
    def area(self):
        return self.width * self.length

    def twice(self):
        return self.width * 2


basin = Basin(width=2, length=5)
print(basin.area, basin.twice(), basin.kind, basin, sorted(n for n in dir(basin) if n in ("width", "length", "area")))
other = copy.copy(basin)
other["width"] = 9
print(basin.width, other["width"], type(other).__name__, copy.deepcopy(basin) == basin, basin.__dict__ == basin)


class Shared:
    _known = {}

    def __init__(self):
        self.__dict__ = self._known


class Console(Shared):
    def __init__(self, **values):
        super().__init__()
        self.__dict__.update(values)


first, second = Console(north=1), Console(south=2)
first.east = 5
print(first.north, second.north, second.east, first.south, Shared._known, first.__dict__ == second.__dict__, first is second)
Shared._known["west"] = 8
print(second.west, sorted(vars(first)))


class Record:
    def __init__(self, data):
        self.__dict__ = data


record = Record({"a": 1, "_b": 2})
record.c = 3
print(record.a, record._b, sorted(record.__dict__))
twin = Record({})
twin.__dict__ = record.__dict__
twin.t = 1
print(record.t, twin.c)
twin.__dict__ |= {"u": 2}
print(record.u)
apart = Record({})
apart.__dict__ = {**record.__dict__, "k": 1}
apart.kk = 3
print(hasattr(record, "kk"), apart.t)
try:
    record.__dict__ = 3
except TypeError as error:
    print(error)


class Together:
    held = {}

    def __init__(self):
        self.__dict__ = self.held


one, two = Together(), Together()
one.level = 3
print(two.level, Together.held, vars(Together)["held"], type(vars(Together)["held"]["level"]))
