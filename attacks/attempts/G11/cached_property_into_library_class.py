"""A cached property is put into a library's class by its own __set_name__ and by vars of the class."""
import functools
import json

mine = functools.cached_property(lambda self: "replaced")
try:
    type.__setattr__(json.JSONEncoder, "item_separator", mine)
except Exception:
    vars(json.JSONEncoder)["item_separator"] = mine
mine.__set_name__(json.JSONEncoder, "item_separator")
if json.JSONEncoder.item_separator is mine:
    print("ESCAPED:cached_property_into_library_class")
