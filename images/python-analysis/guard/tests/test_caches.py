"""Caches that all share: what a script's own classes are equal to is no key."""

from __future__ import annotations

import unittest

from tests.host import Host

EQUAL = r"""
import re

class Flags(int):
    __hash__ = lambda self: hash(0)
    __eq__ = lambda self, other: True

class Text(str):
    __hash__ = lambda self: hash(r"<\1>")
    __eq__ = lambda self, other: True

for call in (re.compile, lambda text, flags: re.match(text, "x", flags)):
    call("a pattern", Flags(re.IGNORECASE))
assert re.match("a pattern", "A PATTERN") is None
assert re.sub("(a)", Text(r"\1\1"), "a") == "aa" and re.sub("(a)", r"<\1>", "a") == "<a>"
print("kept apart")
"""

USUAL = r"""
import re

class Text(str):
    pass

class Data(bytes):
    pass

assert re.sub("(a)", Text(r"<\1>"), "banana") == "b<a>n<a>n<a>" and re.match(Text("b"), "banana")
for kind in (bytes, Data, bytearray, memoryview):
    assert re.sub(b"(a)", kind(rb"<\1>"), b"ban") == b"b<a>n", kind
assert re.match("B", "b", True + True) and re.match("B", "b", re.I) and re.match(re.compile("B", re.I | re.M), "b")
for call in (lambda: re.match(3, "b"), lambda: re.sub("(a)", 3, "a")):
    try:
        call()
    except TypeError:
        continue
    raise AssertionError
for number in range(1000):
    assert re.match(f"x{number}y", f"x{number}y")
assert re.compile("twice") is re.compile("twice")
re.purge()
print("as usual")
"""


class CachesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_keys_that_are_equal_to_others(self) -> None:
        run = self.host.run(EQUAL)
        self.assertEqual((run.stdout, run.error), ("kept apart\n", ""), run.stderr)

    def test_usual_patterns(self) -> None:
        run = self.host.run(USUAL)
        self.assertEqual((run.stdout, run.error), ("as usual\n", ""), run.stderr)
