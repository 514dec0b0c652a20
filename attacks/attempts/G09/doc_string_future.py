"""A future statement that changes what annotations are, and a hint as text that is evaluated."""
from __future__ import annotations

import typing


def f(x: __import__("os").getpid()):
    return x


print("ESCAPED:doc_string_future", typing.get_type_hints(f))
