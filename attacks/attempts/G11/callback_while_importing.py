"""What an import prints to is a callback in C: no frame of the script stands between it and the import."""
import contextlib
import dataclasses
import functools
import json
import zoneinfo


class Front:
    def __radd__(self, other):
        return ["this"]


class Parts(list):
    def __getitem__(self, place):
        return Front() if isinstance(place, slice) else "x"


class Key(str):
    def split(self, *how):
        return Parts()


def ignore(*given):
    pass


class Out:
    write = staticmethod(
        functools.partial(functools.reduce, ignore, map(dataclasses.dataclass, [json.JSONEncoder]))
    )


with contextlib.redirect_stdout(Out()):
    try:
        zoneinfo.ZoneInfo(Key("no/zone"))
    except zoneinfo.ZoneInfoNotFoundError:
        pass
if dataclasses.is_dataclass(json.JSONEncoder):
    print("ESCAPED:callback_while_importing", json.JSONEncoder() == json.JSONEncoder())
