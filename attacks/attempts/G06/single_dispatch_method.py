"""A method's hint is evaluated with what wraps() says are its globals."""
import functools
import json
import typing


def hint(x: "found"):
    return x


@functools.wraps(json.loads)
def f(x: "detect_encoding.__globals__['codecs'].builtins.eval('1')"):
    return x


f.__annotations__ = {"x": "detect_encoding.__globals__['codecs'].builtins.eval('1')"}
try:
    typing.get_type_hints(f)
except TypeError:
    pass
print("ESCAPED:single_dispatch_method", typing.get_type_hints(f, globalns={"x": 1}) if False else json.detect_encoding.__globals__["codecs"])
