"""Compile text under the name of a file of the image, so that the hook takes it for a library's.

Held by: hook
"""
import importlib.machinery
import json

loader = importlib.machinery.SourceFileLoader("json", json.__file__)
for way in (
    lambda: loader.source_to_code(b"def read(function): return function.__code__", json.__file__),
    lambda: compile("1", json.__file__, "eval"),
    lambda: compile(__import__("ast").Expression(__import__("ast").Constant(1, lineno=1, col_offset=0)), json.__file__, "eval"),
):
    try:
        print("ESCAPED:code_that_claims_to_be_a_librarys", way())
    except OSError as error:
        refused = error
raise refused
