"""The frame of a library that called back."""
import json


def hook(pairs):
    raise KeyError


try:
    json.loads("{}", object_pairs_hook=hook)
except KeyError as error:
    trace = getattr(error, "__trace" + "back__")
    print("ESCAPED:traceback_of_library", getattr(trace, "tb_fr" + "ame"))
