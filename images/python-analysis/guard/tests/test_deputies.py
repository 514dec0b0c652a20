"""What the library modules' own getattr, setattr and copies refuse, and what they go on doing."""

from __future__ import annotations

import logging
import string
import types
import unittest
from typing import Any

from hotcell_guard.granting import _own
from hotcell_guard.libraries import _deputies, _importing
from hotcell_guard.libraries._copies import _set_state
from hotcell_guard.libraries._templates import Template
from tests.host import Host

COPIES = """
import collections, copy, dataclasses, enum, functools, typing
import numpy as np, pandas as pd
import scipy.stats as st

class Node:
    def __init__(self, value):
        self.value, self._own = value, [value]

class Slotted:
    __slots__ = ("a",)

@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    a: int

@dataclasses.dataclass(slots=True)
class Counting:
    _y: int = 3
    def go_on(self):
        self._y += 1
        return self._y

class Items(dict):
    pass

class Cached:
    @functools.cached_property
    def _twice(self):
        return 2

@dataclasses.dataclass
class Point:
    x: int
    _y: int = 0

node, slotted, items = Node(1), Slotted(), Items(a=[1])
slotted.a, items.extra = 1, 2
twin = copy.deepcopy(node)
assert twin._own == [1] and twin._own is not node._own
assert copy.copy(slotted).a == 1 and copy.deepcopy(items) == {"a": [1]} and copy.deepcopy(items).extra == 2
assert copy.deepcopy(Frozen(3)) == Frozen(3) and copy.replace(Frozen(3), a=4).a == 4
assert copy.deepcopy(pd.DataFrame({"a": [1]})).a[0] == 1 and copy.deepcopy(np.ones(2)).sum() == 2
assert copy.deepcopy(st.norm).cdf(0) == 0.5 and copy.copy(collections.OrderedDict(a=1)) == {"a": 1}
assert dataclasses.asdict(Point(1)) == {"x": 1, "_y": 0} and dataclasses.replace(Point(1), _y=3)._y == 3
assert dataclasses.make_dataclass("P", [("a", int)])(1).a == 1 and Cached()._twice == 2
assert collections.namedtuple("T", "a b")(1, 2).b == 2 and typing.NamedTuple("N", [("a", int)])(1).a == 1
assert [each.name for each in enum.Enum("E", "A B")] == ["A", "B"] and enum.Enum("F", {"A": 3}).A.value == 3
assert typing.get_type_hints(Point) == {"x": int, "_y": int}
assert Counting().go_on() == 4
try:
    dataclasses.dataclass(pd.DataFrame)
except TypeError as error:
    assert "class of the script's" in str(error)
else:
    raise AssertionError
assert copy.deepcopy(enum.Enum("G", ["X"]).X).name == "X"

class Linked:
    def __init__(self):
        self.other, self.items = None, [1]
    def __deepcopy__(self, memo):
        twin = memo[id(self)] = type(self)()
        twin.other, twin.items = copy.deepcopy(self.other, memo), copy.deepcopy(self.items, memo)
        return twin

first, second = Linked(), Linked()
first.other, second.other, second.items = second, first, first.items
twin = copy.deepcopy(first)
assert twin.other.other is twin and twin.items is twin.other.items and twin.items is not first.items
twins = copy.deepcopy({"array": np.array([first, second, None], dtype=object), "first": first})
assert twins["array"][0] is twins["first"] and twins["array"][1] is twins["first"].other
nested = [[1]]
nested += [nested[0], nested]
twin, memo = copy.deepcopy(nested), {}
assert twin[0] is twin[1] and twin[2] is twin and copy.deepcopy([node], memo)[0].value == 1 and not memo
print("copied")
"""


MODELS = """
import dataclasses, typing
import pydantic
from scipy import integrate

class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    x: int = 1
    os: str = "any"
    _own: int = pydantic.PrivateAttr(3)
    @pydantic.model_validator(mode="before")
    @classmethod
    def before(cls, values):
        return values
    @pydantic.model_validator(mode="wrap")
    @classmethod
    def around(cls, values, handler):
        return handler(values)
    @pydantic.model_validator(mode="after")
    def after(self):
        return self
    @pydantic.model_serializer(mode="wrap")
    def dump(self, handler):
        return handler(self)
    @pydantic.computed_field
    @property
    def y(self) -> int:
        return self.x

class Models(pydantic.RootModel):
    root: list[Model]

@dataclasses.dataclass
class Own:
    a: int = 1
    _b: int = 2

class Typed(typing.TypedDict):
    _x: int

assert Models([Model(x=2, z=3)]).model_dump() == [{"x": 2, "os": "any", "y": 2, "z": 3}] and Model()._own == 3
assert pydantic.TypeAdapter(typing.Any).dump_python(Own()) == {"a": 1, "_b": 2} == dataclasses.asdict(Own())
assert pydantic.TypeAdapter(Typed).validate_python({"_x": 1}) == {"_x": 1}
region = integrate.cubature(lambda x: x[..., 0], [0.0], [1.0]).regions[0]
assert set(pydantic.TypeAdapter(typing.Any).dump_python(region)) == {"estimate", "error", "a", "b"}
print("dumped")
"""


class Held:
    def __init__(self) -> None:
        self.a = 1


LEADING_OUT: list[tuple[Any, str]] = [
    (Held().__init__, "__self__"),  # type: ignore[misc]
    (len, "__self__"),
    (Held.__init__, "__globals__"),
    (types, "sys"),
]
SHARED: list[tuple[Any, str]] = [(Held(), "__reduce_ex__"), (Held, "a"), (types, "a")]
"""Not constants of the function that reads: those it may read."""

FOREIGN: list[tuple[Any, str]] = [(logging.StreamHandler(), "_name"), (logging.StreamHandler, "_acquire"), (len, "_a"), (types, "_x"), (Held(), "__init__"), (AttributeError(), "obj")]

OF_A_FUNCTION: list[tuple[Any, str]] = [(logging.getLogger, "a"), (logging.getLogger, "__doc__")]


def script_reads(obj: Any, name: str, *default: Any) -> Any:
    """Stand for what reads for the script."""
    return "script's", obj, name


class Deputies(unittest.TestCase):
    def setUp(self) -> None:
        _importing.begin()
        self.addCleanup(_importing._begun.clear)
        self.deputies = _deputies.Deputies({}, script_reads).of(__name__)

    def test_names_that_lead_out_are_not_read(self) -> None:
        for obj, name in LEADING_OUT:
            with self.subTest(name), self.assertRaises(AttributeError):
                self.deputies["getattr"](obj, name)

    def test_others_are_read(self) -> None:
        get = self.deputies["getattr"]
        self.assertEqual((get(Held(), "a"), get(Held(), "b", None)), (1, None))
        self.assertIs(get(types, "FunctionType"), types.FunctionType)

    def test_names_that_lie_are_taken_exactly(self) -> None:
        class Lying(str):
            __slots__ = ()
            __hash__ = str.__hash__

            def __eq__(self, other: object) -> bool:
                return False

        with self.assertRaises(AttributeError):
            self.deputies["getattr"](len, Lying(LEADING_OUT[1][1]))

    def test_special_names_and_what_is_shared_are_not_set(self) -> None:
        for obj, name in SHARED:
            with self.subTest(name), self.assertRaises(AttributeError):
                self.deputies["setattr"](obj, name, 1)

    def test_others_are_set(self) -> None:
        held = Held()
        self.deputies["setattr"](held, "_b", 2)
        self.assertEqual(vars(held)["_b"], 2)

    def test_private_names_are_those_of_the_packages_own_objects_and_special_ones_the_scripts(self) -> None:
        get, put = self.deputies["getattr"], self.deputies["setattr"]
        held, name = Held(), "_".join(("", "b"))
        vars(held)["_b"] = 1
        self.assertEqual(get(held, name), 1)
        for obj, name in FOREIGN:
            with self.subTest(name):
                self.assertEqual(get(obj, name), ("script's", obj, name))
        for obj, name in (FOREIGN[0], *OF_A_FUNCTION):
            with self.subTest(name), self.assertRaises(AttributeError):
                put(obj, name, 1)

    def test_a_class_with_bases_in_two_packages_belongs_to_none(self) -> None:
        class Both(Held, string.Template):
            pass

        _own.adopt(Both)
        self.addCleanup(_own._own.discard, Both)
        self.assertFalse(_deputies._membership("tests", set())(Both()))
        self.assertTrue(_deputies._membership("tests", set())(Held()))
        self.assertFalse(_deputies._membership("tests", set())(super(Both, Both())))

    def test_a_namespace_shows_of_foreign_objects_what_is_public(self) -> None:
        held = Held()
        vars(held)["_b"] = 1
        look = self.deputies["vars"]
        self.assertIs(look(held), vars(held))
        handler = logging.StreamHandler()
        self.assertIn("stream", look(handler))
        self.assertNotIn("_name", look(handler))
        vars(held)["module"] = types
        self.assertEqual(look(held), {"a": 1, "_b": 1})

    def test_every_module_of_the_table_exists(self) -> None:
        import importlib.util

        for name in (*_deputies.NEEDED, *_deputies.KEYWORDS):
            with self.subTest(name):
                self.assertIsNotNone(importlib.util.find_spec(name))


class Templates(unittest.TestCase):
    def test_only_what_the_template_gives_is_compiled(self) -> None:
        text = "def f(self, %(shape_arg_str)s %(locscale_in)s):\n    return (%(shape_arg_str)s), %(locscale_out)s\n"
        template = Template(text)
        good = text % {"shape_arg_str": "a, b, ", "locscale_in": "loc=0, scale=1", "locscale_out": "loc, scale"}
        self.assertIsNotNone(template.compile(good))

        class Other(str):
            __slots__ = ()

        for bad in (good + "print()\n", good.replace("a, b, ", "a=print(), "), Other(good), good.encode()):
            with self.subTest(bad), self.assertRaises(PermissionError):
                template.compile(bad)


class Copied(unittest.TestCase):
    def test_special_names_are_not_set(self) -> None:
        for state in ({"__reduce_ex__": 1}, (None, {"__class__": 1}), ({"a": 1}, {"__dict__": {}})):
            with self.subTest(state), self.assertRaises(TypeError):
                _set_state(Held(), state)

    def test_what_scripts_copy_goes_on_working(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(COPIES, imports="collections copy dataclasses enum functools typing numpy pandas scipy.stats".split())
        self.assertEqual((run.outcome, run.error, run.stdout), ("completed", "", "copied\n"), run.report)

    def test_what_models_dump_goes_on_working(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(MODELS, imports="dataclasses typing pydantic scipy.integrate".split())
        self.assertEqual((run.outcome, run.error, run.stdout), ("completed", "", "dumped\n"), run.report)
