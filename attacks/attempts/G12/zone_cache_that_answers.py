"""Time zones in C write into whatever the cache of a class answers with: a byte of a text of bytes changes."""
import zoneinfo


class Cache:
    def get(self, key, default=None):
        return default

    def setdefault(self, key, value):
        return victim


class Zone(zoneinfo.ZoneInfo):
    pass


victim = bytes(400)
Zone._weak_cache = Cache()
Zone("Europe/Paris")
print("ESCAPED:zone_cache_that_answers" if any(victim) else "held")
