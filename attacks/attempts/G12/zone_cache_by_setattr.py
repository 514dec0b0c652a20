"""The cache is set by a name, and answers at the second question."""
import zoneinfo


class Cache(dict):
    def get(self, key, default=None):
        return None

    def setdefault(self, key, value):
        return victim


class Zone(zoneinfo.ZoneInfo):
    def __init_subclass__(cls):
        super().__init_subclass__()
        setattr(cls, "_weak_" + "cache", Cache())


class Mine(Zone):
    pass


victim = bytes(300)
try:
    Mine("UTC")
except BaseException as error:
    print(repr(error))
print("ESCAPED:zone_cache_by_setattr" if any(victim) else "held")
