"""A builtin is replaced for every module."""
import enum
import json


def opener(*arguments):
    print("ESCAPED:builtins_replaced")
    return 0


enum.bltns.isinstance = opener
json.dumps({})
