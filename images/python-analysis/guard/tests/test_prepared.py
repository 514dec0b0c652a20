"""Prepared tables: every cell as the host wrote it, texts made when they are used, and no file that leads native code astray."""

from __future__ import annotations

import json
import os
import tempfile
import threading
import unittest
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hotcell_guard.granting import _frames, _prepared
from tests import preparing

ALL = Path(__file__).parent / "prepared" / "all.table"


def loaded(data: bytes) -> Any:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return _frames.frame(_prepared.open_table(file.name))


def waiting(frame: Any) -> int:
    """How many blocks of a frame have no values yet."""
    from pandas._libs.internals import Block

    held = vars(Block)["values"]
    return sum(type(held.__get__(block)).__name__ == "_Waiting" for block in frame._mgr.blocks)


class Written(unittest.TestCase):
    """The file is the one that the host's own test compares with what it writes."""

    def test_each_column_has_the_dtype_of_its_schema(self) -> None:
        frame = loaded(ALL.read_bytes())
        self.assertEqual(
            {name: str(kind) for name, kind in frame.dtypes.items()},
            {
                "id": "int64", "name": "object", "group": "category", "weight": "float64", "big": "uint64",
                "visits": "Int64", "age": "float64", "alive": "bool", "smokes": "object", "born": "datetime64[us]",
                "seen": "datetime64[us, UTC]", "labs": "object", "tags": "object", "code": "int64", "note": "object",
            },
        )  # fmt: skip
        self.assertEqual(frame.shape, (40, 15))
        self.assertEqual(waiting(frame), 5)

    def test_each_cell_is_the_one_that_was_written(self) -> None:
        import pandas as pd

        frame = loaded(ALL.read_bytes())
        self.assertEqual(frame["code"].tolist(), list(range(40)))
        self.assertEqual(frame["big"].tolist(), [2**64 - 1 - at for at in range(40)])
        self.assertEqual(frame["alive"].tolist(), [at % 2 == 0 for at in range(40)])
        self.assertEqual(list(frame["group"].cat.categories), ["control", "treated", ""])
        expected: dict[str, Callable[[int], object]] = {
            "name": lambda at: f"p{at % 30:05}",
            "group": lambda at: ["control", "treated", ""][at % 3],
            "weight": lambda at: at / 8,
            "age": float,
            "smokes": lambda at: at % 3 == 0,
            "born": lambda at: pd.Timestamp("1970-01-01") + pd.Timedelta(days=at),
            "seen": lambda at: pd.Timestamp("1970-01-01", tz="UTC") - pd.Timedelta(microseconds=at),
            "labs": lambda at: {"a": [at, None]},
            "tags": lambda _: ["ü\n"],
        }
        for name, cell in expected.items():
            gaps = frame[name].isna()
            self.assertTrue(0 < gaps.sum() < 40, name)
            for at, value in frame[name][~gaps].items():
                self.assertEqual((value, type(value)), (cell(at), type(cell(at))), name)
        self.assertTrue(all(value is not None for value in frame["note"]))
        visits = frame["visits"]
        self.assertEqual(frame["id"].tolist()[0], -visits[0] if not visits.isna()[0] else frame["id"][0])

    def test_an_empty_table_and_a_wide_one_are_loaded(self) -> None:
        empty = loaded(preparing.encoded({"a": [], "b": []}))
        self.assertEqual((empty.shape, empty["a"].tolist()), ((0, 2), []))
        wide = loaded(preparing.encoded({f"c{at}": [f"t{at}", None] for at in range(200)}))
        self.assertLessEqual(len(wide._mgr.blocks), 64)
        self.assertEqual(wide["c137"].tolist()[0], "t137")
        wide["new"] = 1  # warns of a hundred blocks
        self.assertEqual(wide.iloc[0].tolist()[:2], ["t0", "t1"])


COLUMNS: dict[str, list[Any]] = {
    "id": list(range(12)),
    "site": [["a", "b", None][at % 3] for at in range(12)],
    "dose": [None if at % 5 == 0 else at / 4 for at in range(12)],
    "note": [f"note {at % 7}" for at in range(12)],
    "ok": [at % 2 == 0 for at in range(12)],
    "labs": [{"x": at} if at % 4 else None for at in range(12)],
    "visit": [at % 3 for at in range(12)],
}

ORDINARY = """
df.shape; len(df); df.size; df.dtypes; df.columns; df.index; df.ndim; df.empty
df["id"].sum(); df[["id", "visit"]].mean(); df.groupby("visit").dose.mean()
df["new"] = 1; df["id"] = 2.0; df.insert(0, "first", 0); del df["dose"]
df.drop(columns="note")["id"]; df.copy()["visit"]; df.rename(columns={"id": "ID"}).ID; df.assign(z=1)["z"]
df.head()["id"]; df[["id", "note"]]["id"]; df.iloc[2:4]["id"]; df.set_index("id").index
"""
"""What needs no text."""

OPERATIONS = """
df
df.T
df.head(3)
df.tail(3)
df.iloc[2]
df.iloc[2:5, 1:4]
df.iloc[::-1]
df.iloc[[3, 1, 1]]
df.loc[df.site == "a"]
df.loc[3, "note"]
df.at[3, "note"]
df.loc[2:6, ["note", "site"]]
df[["note", "id", "site"]]
df[["note"]]
df[["note", "note"]]
df["note"].str.upper()
df.drop(columns=["note"])
df.drop(columns=["note"]).assign(x=df.note)
df.drop(index=[1, 2])
df.query("site == 'b' and dose > 0.5")
df.groupby("site").dose.agg(["mean", "count"])
df.groupby("site", dropna=False).size()
df.groupby(["site", "visit"])["id"].sum().unstack()
df.groupby("site")["note"].nunique()
df.groupby("site").first()
df.groupby("site").apply(lambda g: len(g), include_groups=False)
df.groupby("site").transform("count")
df.merge(df[["id", "note"]], on="id", suffixes=("", "_2"))
df.merge(df[["site", "visit"]].drop_duplicates(), on="site", how="outer")
df.set_index("id").join(df.set_index("id")[["note"]], rsuffix="_r")
pd.concat([df, df])
pd.concat([df, df.assign(more="x")], ignore_index=True)
pd.concat([df, df[["note"]].add_suffix("_2")], axis=1)
pd.concat([df.head(2), df.tail(2).drop(columns="note")])
df.pivot_table(index="site", columns="visit", values="dose")
df.pivot(index="id", columns="visit", values="note")
df.melt(id_vars="id", value_vars=["site", "note"])
df.apply(lambda row: f"{row.site}-{row.note}", axis=1)
df.apply(lambda column: column.notna().sum())
df.map(str)
df.astype(str)
df.astype({"note": "category"})
df.astype(object)
df.convert_dtypes()
df.infer_objects()
df.copy()
df.copy(deep=False)
df.sort_values("note")
df.sort_values(["site", "note"], ascending=False)
df.sort_index(ascending=False)
df.reset_index()
df.set_index("note")
df.set_index(["site", "note"]).sort_index()
df.fillna("none")
df.fillna({"site": "?"})
df.dropna()
df.dropna(subset=["site"])
df.isna()
df.notna().sum()
df.replace("a", "z")
df.replace({"site": {"a": "z"}})
df.where(df.id > 4)
df.mask(df.id > 4, "x")
df.duplicated("note")
df.drop_duplicates("note")
df.drop(columns="labs").nunique()
df.value_counts("note")
df.note.value_counts()
df.note.unique().tolist()
df.describe()
df.describe(include="all")
df.count()
df.memory_usage()
df.memory_usage(deep=True)
df.select_dtypes("object")
df.select_dtypes("number")
df.select_dtypes(exclude="object")
df.filter(like="o")
df.sample(4, random_state=1)
df.nlargest(3, "id")
df.rename(columns={"note": "text"})
df.rename(columns=str.upper)
df.add_prefix("c_")
df.assign(long=df.note + "!")
df.eval("twice = id * 2")
df.explode("note")
df.stack(future_stack=True)
df.to_csv()
df.to_json()
df.to_dict()
df.to_dict("records")
df.to_numpy().tolist()
df.values.tolist()
df.to_string()
df.to_records().tolist()
df.to_html()
repr(df)
info(df)
df.equals(df.copy())
df.equals(plain)
(df == df).sum()
df.shift()
df.reindex([1, 2, 99])
df.reindex(columns=["note", "gone"])
df.align(df.tail(2))[1]
df.combine_first(df.tail(3))
df.update(df.tail(2)) or df
df.pop("note")
[row.note for row in df.itertuples()]
[row["note"] for _, row in df.iterrows()]
[(name, column.tolist()) for name, column in df.items()]
df.pipe(len)
df.corr(numeric_only=True)
df.sum(numeric_only=True)
df.note.map({"note 1": 1})
df.cumsum(numeric_only=True) if False else df[["id"]].cumsum()
df.swaplevel() if False else df.squeeze()
df.isin(["a", "note 3"])
df.idxmax(numeric_only=True)
df.rolling(2, on="id").visit.sum()
df.groupby("site").rolling(2).dose.sum()
df.groupby("site").cumcount()
df.groupby("site").ngroup()
df.groupby("site").head(1)
df.groupby("site")[["note"]].agg(lambda s: "|".join(s))
pd.crosstab(df.site, df.visit)
pd.get_dummies(df.site)
pd.factorize(df.note)[0].tolist()
pd.cut(df.id, 3)
pd.isna(df)
pd.melt(df[["id", "note"]], "id")
pd.json_normalize(df.labs.dropna())
np.asarray(df.note).tolist()
copy.copy(df)
copy.deepcopy(df)
changed(df, lambda d: d.__setitem__("note", "x"))
changed(df, lambda d: d.loc.__setitem__((d.id > 5, "note"), "x"))
changed(df, lambda d: d.iloc.__setitem__((0, 3), "x"))
changed(df, lambda d: d.at.__setitem__((1, "note"), "x"))
changed(df, lambda d: d.loc.__setitem__(99, d.loc[0].tolist()))
changed(df, lambda d: d.loc.__setitem__((slice(None), "note"), d.note.str.upper()))
changed(df, lambda d: d.__setitem__(["note", "site"], d[["site", "note"]].to_numpy()))
changed(df, lambda d: d.fillna("?", inplace=True))
changed(df, lambda d: d.rename(columns={"note": "n"}, inplace=True))
changed(df, lambda d: d.drop(columns="note", inplace=True))
changed(df, lambda d: d.sort_values("note", inplace=True))
changed(df, lambda d: d.dropna(inplace=True))
changed(df, lambda d: d.replace("a", "b", inplace=True))
changed(df, lambda d: d.insert(1, "note2", d.note))
changed(df, lambda d: d.set_index("note", inplace=True))
changed(df, lambda d: d.columns.__class__ and setattr(d, "columns", list("abcdefg")))
changed(df, lambda d: d.note.__setitem__(0, "x"))
changed(df, lambda d: d.head(3).note.__setitem__(0, "x"))
changed(df, lambda d: d.copy(deep=False).note.__setitem__(0, "x"))
changed(df, lambda d: d.copy().note.__setitem__(0, "x"))
changed(df, lambda d: d.iloc[:, :4].note.__setitem__(0, "x"))
changed(df, lambda d: d[["id", "note"]].note.__setitem__(0, "x"))
changed(df, lambda d: d.drop(columns="id").note.__setitem__(0, "x"))
changed(df, lambda d: d.head(3).copy().note.__setitem__(0, "x"))
changed(df, lambda d: (lambda c: (d.note.__setitem__(0, "x"), d.update(c)))(d.head(3).copy()))
changed(df, lambda d: (lambda v: (d.note.__setitem__(0, "x"), d.insert(0, "v", v.note)))(d.head(3)))
"""


def changed(frame: Any, change: Callable[[Any], Any]) -> Any:
    change(frame)
    return frame


def info(frame: Any) -> str:
    import io

    text = io.StringIO()
    frame.info(buf=text)
    return text.getvalue()


class Waiting(unittest.TestCase):
    def frame(self) -> Any:
        return loaded(preparing.encoded(COLUMNS))

    def plain(self) -> Any:
        import pandas as pd

        plain = pd.DataFrame(COLUMNS)
        for name in ("site", "labs"):
            plain[name] = plain[name].where(plain[name].notna(), float("nan"))
        return plain

    def test_texts_are_not_made_for_what_needs_none(self) -> None:
        for code in ORDINARY.replace("\n", ";").split(";"):
            frame = self.frame()
            exec(code.strip(), {"df": frame})
            with self.subTest(code.strip()):
                self.assertGreaterEqual(waiting(frame), 3 if "note" not in code or "drop" in code or '["id"]' in code else 2)

    def test_one_text_is_made_and_the_others_wait(self) -> None:
        frame = self.frame()
        self.assertEqual(frame["note"].tolist(), COLUMNS["note"])
        self.assertEqual(waiting(frame), 2)

    def test_a_look_at_some_rows_makes_those(self) -> None:
        notes = [f"note {at} " + "x" * 40 for at in range(60_000)]
        sites = [f"site {at % 7}" for at in range(60_000)]
        for look, rows in (("df.head()", range(5)), ("df.tail(3)", range(59_997, 60_000)), ("df[59_000:58_000:-500]", range(59_000, 58_000, -500))):
            frame = loaded(preparing.encoded({"note": notes, "site": sites, "id": list(range(60_000))}))
            seen = eval(look, {"df": frame})
            with self.subTest(look):
                self.assertEqual(seen["note"].tolist(), [notes[at] for at in rows])
                self.assertEqual(seen["site"].tolist(), [sites[at] for at in rows])
                self.assertEqual(waiting(frame), 2)
                self.assertEqual(frame.iloc[59_999]["note"], notes[-1])
                self.assertEqual(frame.iloc[-1]["note"], notes[-1])
                self.assertEqual(waiting(frame), 2)
                self.assertEqual((frame["note"].tolist(), frame["site"].tolist()), (notes, sites))

    def test_what_was_changed_in_some_rows_stays_changed(self) -> None:
        import warnings

        for then in ("df", "df.copy()", "df[['note', 'id']]", "df[:]"):
            frame = loaded(preparing.encoded({"note": [f"note {at}" for at in range(60_000)], "id": list(range(60_000))}))
            first = frame[:2]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                first.iloc[0, 0] = "mine"  # of the same memory, as it is in pandas 2
            with self.subTest(then):
                self.assertEqual(eval(then, {"df": frame})["note"].tolist()[:2], ["mine", "note 1"])
                self.assertEqual(frame["note"].iloc[59_999], "note 59999")

    def test_threads_that_come_together_find_one_text(self) -> None:
        frame = loaded(preparing.encoded({"note": [f"n{at}" for at in range(200_000)], "id": list(range(200_000))}))
        found: list[Any] = []
        threads = [threading.Thread(target=lambda: found.append(frame["note"].to_numpy())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({array.__array_interface__["data"] for array in found}), 1)
        self.assertEqual(waiting(frame), 0)

    def test_every_operation_gives_what_it_gives_for_an_ordinary_frame(self) -> None:
        import copy
        import warnings

        import numpy as np
        import pandas as pd

        names = {"pd": pd, "np": np, "copy": copy, "changed": changed, "info": info, "plain": self.plain()}
        for code in OPERATIONS.strip().splitlines():
            with self.subTest(code), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found, expected = (self.tried(code, names | {"df": make()}) for make in (self.frame, self.plain))
                self.assertNotIn("Error:", expected if isinstance(expected, str) else "")
                self.assertIs(type(found), type(expected))
                if isinstance(expected, pd.DataFrame):
                    pd.testing.assert_frame_equal(found, expected)
                elif isinstance(expected, pd.Series):
                    pd.testing.assert_series_equal(found, expected)
                elif isinstance(expected, pd.Index):
                    pd.testing.assert_index_equal(found, expected)
                else:
                    self.assertEqual(str(found), str(expected))

    def tried(self, code: str, names: dict[str, Any]) -> Any:
        try:
            return eval(code, names)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def test_what_a_script_changes_changes_no_file(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            data = preparing.encoded(COLUMNS)
            file.write(data)
            file.flush()
            frame = _frames.frame(_prepared.open_table(file.name))
            frame.loc[:, "id"] = 7
            frame["id"].to_numpy()[:] = 8
            frame.loc[0, "note"] = "x"
            self.assertEqual(frame["id"].sum(), 96)
            self.assertEqual(Path(file.name).read_bytes(), data)
            again = _frames.frame(_prepared.open_table(file.name))
            self.assertEqual(again["id"].tolist(), COLUMNS["id"])

    def test_no_attribute_of_an_array_leads_to_the_mapping(self) -> None:
        array = self.frame()["id"].to_numpy()
        while array is not None:
            self.assertIn(type(array).__name__, ("ndarray", "Pages"))
            self.assertEqual([name for name in dir(array) if type(array).__name__ == "Pages" and name[0] != "_"], [])
            array = getattr(array, "base", None)

    def test_no_descriptor_stays_open(self) -> None:
        before = len(os.listdir("/proc/self/fd"))
        frame = self.frame()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)
        del frame


class Damaged(unittest.TestCase):
    def fault(self, data: bytes) -> str:
        with self.assertRaises(ValueError) as raised:
            frame = loaded(data)
            for name in frame:
                frame[name].tolist()
        return str(raised.exception)

    def index(self) -> tuple[bytes, Any]:
        data = ALL.read_bytes()
        offset = int.from_bytes(data[-24:-16], "little")
        return data[:offset], json.loads(data[offset:-24])

    def with_index(self, change: Callable[[Any], None], data: bytes | None = None) -> bytes:
        body, index = self.index()
        change(index)
        pieces = preparing.Pieces()
        pieces.data = bytearray(data or body)
        return pieces.end(index)

    def test_the_helper_changes_nothing_of_itself(self) -> None:
        self.assertEqual(loaded(self.with_index(lambda _: None)).shape, (40, 15))

    def test_a_file_that_is_cut_anywhere_is_refused(self) -> None:
        data = ALL.read_bytes()
        for size in [*range(64), *range(64, len(data), 997), *range(len(data) - 30, len(data))]:
            self.fault(data[:size])
        self.fault(data + b"\0")
        self.fault(b"X" + data[1:])
        self.assertIn("rebuild the image", self.fault(data[:8] + b"\2" + data[9:]))

    def test_no_number_of_the_index_leads_out_of_the_file(self) -> None:
        _, whole = self.index()
        for path in list(numbers(whole)):
            if path[-1] == "separator":
                continue
            for value in (-1, 1 << 40, 1 << 62, 1 << 70, "1", None, 1.5, True):
                with self.subTest(path=path, value=value):
                    self.fault(self.with_index(partial(put, way=path, to=value)))

    def test_a_name_more_or_less_is_refused(self) -> None:
        _, whole = self.index()
        for path in list(objects(whole)):
            with self.subTest(path=path):
                self.fault(self.with_index(partial(put, way=(*path, "more"), to=1)))
                for name in get(whole, path):
                    if name != "mask" or "values" in get(whole, path):
                        self.fault(self.with_index(partial(drop, way=(*path, name))))

    def test_columns_that_lie_twice_or_nowhere_are_refused(self) -> None:
        self.fault(self.with_index(lambda index: index["blocks"].append(index["blocks"][0])))
        self.fault(self.with_index(lambda index: index["blocks"].pop()))
        self.fault(self.with_index(lambda index: index["blocks"][0]["columns"].reverse()))
        self.fault(self.with_index(lambda index: index["columns"].pop(0)))
        self.fault(self.with_index(lambda index: index.update(columns=[])))

    def test_values_that_native_code_believes_are_looked_at(self) -> None:
        body, index = self.index()
        columns = {column["name"]: column for column in index["columns"]}
        booleans = next(block["values"] for block in index["blocks"] if block["dtype"] == "bool")
        for what, buffer, value in (
            ("a boolean", booleans, 2),
            ("a gap", columns["visits"]["mask"], 255),
            ("a category", columns["group"]["codes"], 3),
            ("a category below", columns["group"]["codes"], 254),
            ("a text's code", columns["name"]["codes"], 31),
            ("a boolean's code", columns["smokes"]["codes"], 3),
            ("a text", columns["note"]["texts"]["parts"][0], 0xFF),
            ("a text too many", columns["note"]["texts"]["parts"][0], columns["note"]["texts"]["separator"]),
            ("a document", columns["labs"]["texts"]["parts"][0], ord("]")),
        ):
            with self.subTest(what):
                data = bytearray(body)
                data[buffer["offset"]] = value
                self.fault(self.with_index(lambda _: None, bytes(data)))

    def test_what_is_no_file_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            for name in ("pipe", "link", "none"):
                path = f"{directory}/{name}"
                if name == "pipe":
                    os.mkfifo(path)
                if name == "link":
                    os.symlink(ALL, path)
                with self.subTest(name), self.assertRaises((OSError, _prepared.PreparedFault)):
                    _prepared.open_table(path)

    def test_a_quoted_text_is_a_string(self) -> None:
        for texts, fault in (('"a\\u0000"', False), ("1", True), ("x", True)):
            pieces = preparing.Pieces()
            column = {"name": "t", "layout": "text", "texts": pieces.texts([texts], 10) | {"quoted": True}}
            data = pieces.end({"rows": 1, "blocks": [], "columns": [column]})
            if fault:
                self.fault(data)
            else:
                self.assertEqual(loaded(data)["t"].tolist(), ["a\0"])


def numbers(value: Any, at: tuple[Any, ...] = ()) -> Any:
    """Yield the ways to all numbers."""
    if isinstance(value, int):
        yield at
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from numbers(each, (*at, key))


def objects(value: Any, at: tuple[Any, ...] = ()) -> Any:
    if isinstance(value, dict):
        yield at
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from objects(each, (*at, key))


def get(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


def drop(value: Any, way: tuple[Any, ...]) -> None:
    del get(value, way[:-1])[way[-1]]


def put(value: Any, way: tuple[Any, ...], to: object) -> None:
    get(value, way[:-1])[way[-1]] = to
