"""Frames and modules in which pydantic looks for types: it finds the script's there, and nothing else."""

from __future__ import annotations

import sys
import types
import unittest
from typing import Any

from hotcell_guard.libraries import _evaluation
from tests.host import Host

USED = """
from __future__ import annotations
import dataclasses
from typing import Annotated, Generic, List, TypeVar

import pydantic
from pydantic import BaseModel, Field, TypeAdapter

class _Inner(BaseModel):
    a: Annotated[int, Field(gt=1)]

class Outer(BaseModel):
    x: _Inner
    y: "List[Later]"

class Later(BaseModel):
    z: int = 3

def local():
    class Local(BaseModel):
        q: int

    class Uses(BaseModel):
        one: Local
        two: "Annotated[int, Field(lt=5)]" = 1

    return Uses(one={"q": 1}), TypeAdapter(list["Local"]).validate_python([{"q": "4"}])

V = TypeVar("V")

class Box(BaseModel, Generic[V]):
    v: V

@pydantic.validate_call
def add(a: "int", b: Annotated[int, Field(gt=0)] = 3):
    return a + b

@pydantic.dataclasses.dataclass
class Data:
    a: "int"
    b: "List[Later]" = dataclasses.field(default_factory=list)

assert str(Outer(x={"a": 2}, y=[{}])) == "x=_Inner(a=2) y=[Later(z=3)]" and Outer.model_rebuild(force=True)
uses, validated = local()
assert uses.one.q == 1 and validated[0].q == 4 and Box[int](v="1").v == 1 and add("4") == 7 and Data(a="3").a == 3
assert TypeAdapter(List["Later"]).validate_python([{}])[0].z == 3 and TypeAdapter[int](int).validate_python("3") == 3
try:
    Outer(x={"a": 0}, y=[])
except pydantic.ValidationError as error:
    assert error.error_count() == 1
    print("used")
"""


NAMES = """
def look(depth):
    private_to_me = 1
    return frames._getframe(depth)

def module():
    return frames._getframe(0)

here, found = frames._getframe(0), look(0)
"""


class Looking(unittest.TestCase):
    def setUp(self) -> None:
        self.module: Any = types.SimpleNamespace()
        self.names: dict[str, Any] = {"__name__": "__main__", "__builtins__": {}, "frames": None}
        self.evaluation = _evaluation.Evaluation(self.names, {}, lambda code: None, lambda kind: False)
        self.evaluation.frames(self.module)
        self.names["frames"] = self.module.sys

    def test_until_a_script_begins_all_is_there(self) -> None:
        self.assertIs(self.module.sys._getframe(0), sys._getframe(0))
        self.assertIs(self.module.sys.modules["json"], sys.modules["json"])

    def test_frames_of_others_show_their_name_only(self) -> None:
        self.evaluation.begin()
        frame = self.module.sys._getframe(0)
        self.assertEqual((frame.f_globals, frame.f_locals), ({"__name__": __name__}, {"__name__": __name__}))
        with self.assertRaises(KeyError):
            self.fail(self.module.sys.modules["json"])
        self.assertIsNone(self.module.sys.modules.get("json"))
        self.assertIs(self.module.sys.modules["__main__"], sys.modules["__main__"])

    def test_frames_of_the_script_show_copies_of_its_names(self) -> None:
        self.evaluation.begin()
        exec(NAMES, self.names)
        here, found = self.names["here"], self.names["found"]
        self.assertIs(here.f_globals, here.f_locals)
        self.assertIsNot(here.f_globals, self.names)
        self.assertNotIn("__builtins__", here.f_globals)
        self.assertEqual(sorted(found.f_locals), ["depth", "private_to_me"])
        self.assertIn("look", found.f_globals)


class FramesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def test_types_are_found_where_they_are_written(self) -> None:
        run = self.host.run(USED, imports=["dataclasses", "typing", "pydantic", "pydantic.dataclasses"])
        self.assertEqual((run.outcome, run.stdout), ("completed", "used\n"), run.report)


if __name__ == "__main__":
    unittest.main()
