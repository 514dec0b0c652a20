"""Text that libraries make of names: theirs is compiled, any other is not."""

from __future__ import annotations

import dataclasses
import unittest

from hotcell_guard.libraries._templates import FIELD_METHODS, NEW_TUPLE
from tests.host import Host

WORKING = """
import collections, dataclasses as d, typing
@d.dataclass
class Named:
    self: int
    x: list = d.field(default_factory=list, init=False)
@d.dataclass(frozen=True, order=True)
class Empty: pass
@d.dataclass(frozen=True, slots=True)
class Frozen:
    a: list = d.field(default_factory=list)
    b: int = d.field(default=1, init=False)
    \u00e9: int = 0
@d.dataclass(repr=False, eq=False, init=False)
class Nothing: x: int
@d.dataclass(kw_only=True, unsafe_hash=True)
class Keywords:
    a: int
    b: d.InitVar[int] = 0
    def __post_init__(self, b): self.c = b
assert repr(Named(1)) == 'Named(self=1, x=[])' and Empty() <= Empty() and Frozen() == Frozen() and Nothing()
assert hash(Keywords(a=1, b=2)) == hash(Keywords(a=1)) and Keywords(a=1, b=2).c == 2
assert Named.__doc__ == 'Named(self: int)', Named.__doc__
assert collections.namedtuple('Z', [])() == () and collections.namedtuple('Y', 'x')(1).x == 1
assert typing.NamedTuple('T', [('a', int), ('b', str)])(1, 'b')._asdict() == {'a': 1, 'b': 'b'}
"""
METHODS = """\
def __create_fn__(__dataclass_type_x__):
 def __eq__(self,other):
  if self is other:
   return True
  if other.__class__ is self.__class__:
   return self.x==other.x
  return NotImplemented
 return (__eq__,)"""
EXPRESSIONS = ("x or f()", "x.y", "x[0]", "x()", "x:=1", "(x)", "x==0 or x", "x\n  import os", "", "1", "x y", "x#")


class Templates(unittest.TestCase):
    def test_what_libraries_make_of_identifiers_is_compiled(self) -> None:
        self.assertEqual(dataclasses.make_dataclass("A", ["x"])(1).x, 1)
        FIELD_METHODS.compile(METHODS, "exec")
        NEW_TUPLE.compile("lambda _cls, a, b: _tuple_new(_cls, (a, b))", "eval")
        host = Host()
        self.addCleanup(host.close)
        self.assertEqual(host.run(WORKING).outcome, "completed", host.run(WORKING).report)

    def test_what_they_make_of_an_expression_is_not(self) -> None:
        for text in EXPRESSIONS:
            with self.subTest(text), self.assertRaises(PermissionError):
                FIELD_METHODS.compile(METHODS.replace("self.x", f"self.{text}"), "exec")
            with self.subTest(text), self.assertRaises(PermissionError):
                NEW_TUPLE.compile(f"lambda _cls, a, {text}: _tuple_new(_cls, (a, {text}))", "eval")
        with self.assertRaises(PermissionError):
            NEW_TUPLE.compile("lambda _cls, a: _tuple_new(_cls, (b,))", "eval")
        with self.assertRaises(PermissionError):
            FIELD_METHODS.compile(type("Text", (str,), {})(METHODS), "exec")


if __name__ == "__main__":
    unittest.main()
