"""The key of a time zone tells its own parts, and they name a package that is imported."""
import contextlib
import io
import zoneinfo


class Front:
    def __radd__(self, other):
        return ["this"]


class Parts(list):
    def __getitem__(self, place):
        return Front() if isinstance(place, slice) else "x"


class Key(str):
    def split(self, *how):
        return Parts(["a", "b"])


printed = io.StringIO()
with contextlib.redirect_stdout(printed), contextlib.suppress(zoneinfo.ZoneInfoNotFoundError):
    zoneinfo.ZoneInfo(Key("no/zone"))
if "Zen of Python" in printed.getvalue():
    print("ESCAPED:zone_imports_any_module")
