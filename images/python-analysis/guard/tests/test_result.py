from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import pathlib
import types
import typing
import unittest
import uuid
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pydantic
import scipy.stats
import statsmodels.api as sm

from hotcell_guard.answering._result import Converter, ResultKeyError, ResultTooLargeError

NAN = float("nan")
STAMP = pd.Timestamp("2020-01-02T03:04:05")
UTC = datetime.timezone.utc


class Colour(enum.IntEnum):
    RED = 1


class Liar(str):
    def encode(self, *args: object) -> bytes:  # type: ignore[override]
        return b"lie"


class Word(enum.StrEnum):
    A = "a"


class Anything(enum.Enum):
    B = (1, 2)


class Flags(enum.Flag):
    X = 1
    Y = 2


class Typed(typing.NamedTuple):
    a: int
    b: object


@dataclasses.dataclass
class Point:
    x: int
    y: list[object]


class Model(pydantic.BaseModel, extra="allow"):
    n: int
    m: typing.Any = None


RECORDS = np.array([(1, b"a", "2020-01-01"), (2, b"b", "NaT")], [("n", "i4"), ("s", "S1"), ("t", "M8[D]")])
RECORD_DICTS = [
    {"n": 1, "s": {"type": "bytes", "base64": "YQ=="}, "t": "2020-01-01"},
    {"n": 2, "s": {"type": "bytes", "base64": "Yg=="}, "t": None},
]


class Plain:
    def __repr__(self) -> str:
        return "Plain" + "!" * 10_000


CONVERSIONS: dict[str, tuple[Any, Any]] = {
    "None": (None, None),
    "booleans": ([True, False], [True, False]),
    "integers": ([0, -(2**63), 2**64 - 1], [0, -(2**63), 2**64 - 1]),
    "integers beyond 64 bits": ([2**64, -(10**4200)], ["18446744073709551616", "-1" + "0" * 4200]),
    "enumerations": ([Colour.RED, Word.A, Anything.B, Flags.X | Flags.Y], [1, "a", [1, 2], 3]),
    "floats": ([1.5, NAN, float("inf"), float("-inf")], [1.5, None, None, None]),
    "text": ("ä\ud800", "ä?"),
    "a str that lies": (Liar("x"), "x"),
    "sequences": ((1, [2, range(2)], collections.deque([3])), [1, [2, [0, 1]], [3]]),
    "a named tuple": (collections.namedtuple("P", "x y")(1, (2,)), {"x": 1, "y": [2]}),
    "a typed named tuple": (Typed(1, STAMP), {"a": 1, "b": "2020-01-02T03:04:05"}),
    "what scipy answers": (
        scipy.stats.ttest_ind([1, 2, 3], [1, 2, 3]),
        {"statistic": 0.0, "pvalue": 1.0},
    ),
    "a dataclass": (Point(1, [np.int8(2)]), {"x": 1, "y": [2]}),
    "other mappings and sequences": (
        [collections.UserDict(a=1), collections.ChainMap({"a": 1}, {"b": 2}), types.MappingProxyType({"c": {3}}),
         collections.UserList([1]), collections.UserString("x"), collections.Counter("aab"), array.array("d", [1.5])],
        [{"a": 1}, {"b": 2, "a": 1}, {"c": [3]}, [1], "x", {"a": 2, "b": 1}, [1.5]],
    ),
    "a sortable set": ({3, 1, 2}, [1, 2, 3]),
    "a set of one kind each": (frozenset((None,)), [None]),
    "dict views": ([{1: 2}.keys(), {1: 2}.values(), {1: 2}.items()], [[1], [2], [[1, 2]]]),
    "keys": (
        {1: 5, None: 1, (1, 2): 2, STAMP: 3, np.int64(7): 4, False: 7, 2.5: 6},
        {"1": 5, "None": 1, "(1, 2)": 2, "2020-01-02T03:04:05": 3, "7": 4, "False": 7, "2.5": 6},
    ),
    "dates": (
        [datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, tzinfo=UTC), datetime.time(1, 2)],
        ["2020-01-02", "2020-01-02T03:00:00+00:00", "01:02:00"],
    ),
    "durations": (
        [datetime.timedelta(1, 3725), datetime.timedelta(0, 0, 1), datetime.timedelta(-1)],
        ["P1DT1H2M5S", "P0DT0H0M0.000001S", "P-1DT0H0M0S"],
    ),
    "exact numbers": ([decimal.Decimal("1.10"), fractions.Fraction(1, 3), 1 + 2j], ["1.10", "1/3", "(1+2j)"]),
    "identifiers and paths": ([uuid.UUID(int=1), pathlib.Path("/a")], ["00000000-0000-0000-0000-000000000001", "/a"]),
    "bytes": (
        [b"\xff", bytearray(b""), memoryview(b"abc")],
        [{"type": "bytes", "base64": text} for text in ("/w==", "", "YWJj")],
    ),
    "a model of pydantic's": (
        [Model(n=1, more=[2]), Model(n=2, m=Model(n=3))],
        [{"n": 1, "m": None, "more": [2]}, {"n": 2, "m": {"n": 3, "m": None}}],
    ),
    "any other object": (Plain(), {"type": "Plain", "text": "Plain" + "!" * 4091}),
    "numpy scalars": (
        [np.int8(1), np.float32(0.5), np.float64(NAN), np.bool_(True), np.str_("x"), np.complex128(1j)],
        [1, 0.5, None, True, "x", "1j"],
    ),
    "a long double": (np.longdouble(2), "2.0"),
    "numpy times": (
        [np.datetime64("2020-01-02"), np.datetime64("NaT"), np.timedelta64(3, "D")],
        ["2020-01-02", None, "3 days"],
    ),
    "arrays": ([np.eye(2), np.array(5), np.array([])], [[[1.0, 0.0], [0.0, 1.0]], 5, []]),
    "an array with gaps": (np.array([1, NAN, np.inf]), [1.0, None, None]),
    "an array of times": (np.array(["2020-01-01", "NaT"], "M8[ns]"), ["2020-01-01T00:00:00.000000000", None]),
    "an array of objects": (np.array([None, "a", {1}], object), [None, "a", [1]]),
    "masked arrays": (
        [np.ma.array([1, 2], mask=[False, True]), np.ma.masked, np.ma.array([0, 1], "M8[D]", mask=[True, False])],
        [[1, None], None, [None, "1970-01-02"]],
    ),
    "structured arrays": (
        [RECORDS, RECORDS[0], RECORDS.view(np.recarray), np.array((3, b"c", "NaT"), RECORDS.dtype)],
        [RECORD_DICTS, RECORD_DICTS[0], RECORD_DICTS, {"n": 3, "s": {"type": "bytes", "base64": "Yw=="}, "t": None}],
    ),
    "a matrix of times": (np.array([["2020-01-01", "NaT"]], "M8[D]"), [["2020-01-01", None]]),
    "an array of durations": (np.array([3, "NaT"], "m8[h]"), ["3 hours", None]),
    "an array of bytes": (np.array([b"a"]), [{"type": "bytes", "base64": "YQ=="}]),
    "raw records": (np.void(b"ab"), {"type": "bytes", "base64": "YWI="}),
    "missing values": ([pd.NaT, pd.NA], [None, None]),
    "pandas times": ([STAMP, pd.Timedelta("1D"), pd.Period("2020-01")], ["2020-01-02T03:04:05", "P1DT0H0M0S", "2020-01"]),
    "a categorical": (pd.Categorical(["a", None, "a"]), ["a", None, "a"]),
    "an extension array": (pd.array([1, None]), [1, None]),
    "an index": (pd.Index([1, 2]), [1, 2]),
    "a frame": (
        pd.DataFrame({"a": [1, 2], "b": ["x", None], "t": [STAMP, pd.NaT]}),
        {"columns": ["a", "b", "t"], "rows": [[1, "x", "2020-01-02T03:04:05"], [2, None, None]]},
    ),
    "a frame with an index": (
        pd.DataFrame({"a": [1.5]}, index=pd.Index(["x"], name="k")),
        {"columns": ["a"], "rows": [[1.5]], "index": ["x"], "index_names": ["k"]},
    ),
    "a frame of groups": (
        pd.DataFrame({"g": ["u", "v"], "x": [1, 2]}).groupby("g").agg({"x": ["min", "max"]}),
        {"columns": [["x", "min"], ["x", "max"]], "rows": [[1, 1], [2, 2]], "index": ["u", "v"], "index_names": ["g"]},
    ),
    "a frame with two columns of one name": (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        {"columns": ["a", "a"], "rows": [[1, 2]]},
    ),
    "frames without rows or columns": (
        [pd.DataFrame({"a": []}), pd.DataFrame(index=[0, 1])],
        [{"columns": ["a"], "rows": []}, {"columns": [], "rows": [[], []], "index": [0, 1], "index_names": [None]}],
    ),
    "a series": (
        pd.Series([1, 2], name="s", index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
        {"name": "s", "values": [1, 2], "index": [["a", 1], ["b", 2]], "index_names": [None, None]},
    ),
    "intervals": (
        [pd.Interval(0, 1), pd.cut([1, 5], 2).categories],
        ["(0, 1]", ["(0.996, 3.0]", "(3.0, 5.0]"]],
    ),
    "a series of periods": (pd.Series(pd.period_range("2020-01", periods=2, freq="M")).tolist(), ["2020-01", "2020-02"]),
    "sparse and nullable columns": (
        pd.DataFrame({"s": pd.arrays.SparseArray([0, 1]), "i": pd.array([1, None], "Int64"), "t": pd.array(["a", None], "string"),
                      "b": pd.array([True, None], "boolean"), "z": pd.to_datetime(["2020-01-01", None]).tz_localize("UTC")}),
        {"columns": list("sitbz"), "rows": [[0, 1, "a", True, "2020-01-01T00:00:00+00:00"], [1, None, None, None, None]]},
    ),
    "a multi-index": (pd.MultiIndex.from_tuples([("a", STAMP)]), [["a", "2020-01-02T03:04:05"]]),
    "a plain series": (pd.Series([True, None]), {"name": None, "values": [True, None]}),
}


def convert(value: object, budget: int = 1 << 20) -> Any:
    return Converter(budget, lambda figure: figure).convert(value)


class Conversion(unittest.TestCase):
    def test_table(self) -> None:
        for name, (value, expected) in CONVERSIONS.items():
            with self.subTest(name):
                converted = convert(value)
                self.assertEqual(converted, expected)
                self.assertEqual(json.loads(json.dumps(converted, allow_nan=False)), expected)

    def test_gives_exact_types_only(self) -> None:
        for value, kind in ((Liar("x"), str), (Colour.RED, int), (np.float64(1), float)):
            self.assertIs(type(convert(value)), kind)

    def test_a_set_that_cannot_be_sorted_is_still_a_list(self) -> None:
        self.assertCountEqual(convert({1, "a", None}), [1, "a", None])

    def test_an_integer_of_a_million_digits_is_cut(self) -> None:
        self.assertEqual(len(convert(1 << 4_000_000)["text"]), 4096)

    def test_what_statsmodels_fits_is_its_summary(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = sm.OLS([1.0, 2.0, 3.5], sm.add_constant([1.0, 2.0, 3.0])).fit()
            for value, kind in ((fitted, "Summary"), (fitted.summary(), "Summary"), (fitted.summary().tables[0], "SimpleTable")):
                converter = Converter(1 << 20, lambda figure: figure)
                converted: Any = converter.convert(value)
                self.assertEqual((converted["type"], converter.opaque), (kind, False))
                self.assertIn("OLS Regression Results", converted["text"])
        self.assertEqual(convert(sm.families.Binomial())["type"], "Binomial")

    def test_an_objects_own_word_about_its_class_is_not_taken(self) -> None:
        class Liar:
            __class__ = str  # type: ignore[assignment]

            def __repr__(self) -> str:
                return "lie"

        self.assertEqual(convert(Liar()), {"type": "Liar", "text": "lie"})

    def test_never_calls_what_pickle_would(self) -> None:
        class Trap:
            def __reduce_ex__(self, protocol: object) -> Any:
                raise AssertionError

            __getstate__ = __reduce__ = __reduce_ex__

            def __repr__(self) -> str:
                return "Trap"

        self.assertEqual(convert([Trap()]), [{"type": "Trap", "text": "Trap"}])


class Bounds(unittest.TestCase):
    def test_refuses_what_is_too_large(self) -> None:
        cyclic: list[object] = []
        cyclic.append(cyclic)
        endless = type("Endless", (list,), {"__iter__": lambda self: iter(int, 1)})()
        for name, value in {
            "text": "x" * 2000,
            "many values": [0] * 2000,
            "many keys": {str(n): 0 for n in range(500)},
            "long keys": {"k" * 2000: 0},
            "an array": np.zeros(2000),
            "a frame": pd.DataFrame({"a": range(2000)}),
            "a series": pd.Series(range(2000)),
            "a list that holds itself": cyclic,
            "a list without end": endless,
        }.items():
            with self.subTest(name), self.assertRaises(ResultTooLargeError):
                convert(value, budget=1000)

    def test_does_not_build_what_is_too_large(self) -> None:
        huge = np.lib.stride_tricks.as_strided(np.zeros(1), (1 << 40,), (0,))
        with self.assertRaises(ResultTooLargeError):
            convert(huge)
        with self.assertRaises(ResultTooLargeError):
            convert(range(1 << 60))

    def test_refuses_keys_that_become_one(self) -> None:
        with self.assertRaises(ResultKeyError):
            convert({1: "a", "1": "b"})
