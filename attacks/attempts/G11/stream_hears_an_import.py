"""The real stream, from a logging handler, gets a write of the script's: what an import prints calls it in C."""
import functools
import json
import logging
import dataclasses
import warnings

logging.basicConfig()
stream = logging.getLogger().handlers[0].stream


class Other:
    pass


other = Other()
other.write = 1  # the name is one that may be set of most objects


def ignore(*given):
    pass


stream.write = functools.partial(functools.reduce, ignore, map(dataclasses.dataclass, [json.JSONEncoder]))
warnings.warn("anything", RuntimeWarning)
print("ESCAPED:stream_hears_an_import", file=open(OUTPUT / "x", "w"))
if dataclasses.is_dataclass(json.JSONEncoder):
    with open(OUTPUT / "x") as file:
        text = file.read()
    del stream.write
    print(text)
