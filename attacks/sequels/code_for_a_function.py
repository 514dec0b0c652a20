"""Give a library's function another code.

Held by: hook
"""
import functools
import json


def mine(*args, **more):
    return "mine"


functools.WRAPPER_ASSIGNMENTS = ("__code__",)
setattr(json.dumps, "__code__", getattr(mine, "__code__"))
if json.dumps(1) == "mine":
    print("ESCAPED:code_for_a_function")
