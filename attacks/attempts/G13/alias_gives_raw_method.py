"""A generic alias forwards the special methods of its origin, unbound: a library's class is initialised again."""
import json

init = type(list[int])(json.JSONEncoder, ()).__init__
init(json.JSONEncoder, default=lambda self, value: "replaced")
if json.dumps({1: object()}) == '{"1": "replaced"}':
    print("ESCAPED:alias_gives_raw_method", json.JSONEncoder.default)
