"""Arrays of objects: their memory is neither lent nor made of numbers, and whoever works with them goes on."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, EarlyAndLate

NAMES = [*IMPORTS, "io", "struct", "numpy.lib.stride_tricks", "pandas.api.types", "scipy.stats", "sklearn.preprocessing"]

LENT = {
    "an array over numbers": "np.ndarray((1,), object, buffer=numbers)",
    "by its own maker": "np.ndarray.__new__(np.ndarray, (1,), 'O', numbers)",
    "by a subclass": "Mine((1,), object, numbers)",
    "by a subclass with a maker": "Making(numbers)",
    "by a type that becomes another": "of_objects(np.ndarray((1,), Becoming('i8', 'O'), numbers))",
    "by a type that becomes numbers": "of_objects(np.ndarray((1,), Becoming('O', 'i8'), numbers))",
    "by a structure": "np.ndarray((1,), [('a', 'O')], numbers)",
    "by records": "np.recarray((1,), [('a', 'O')], buf=numbers)",
    "records of an array": "np.rec.array(numbers, dtype=[('a', 'O')], shape=1)",
    "strides of a new one": "np.ndarray((2,), object, strides=(0,))",
    "strides of a new one of a subclass": "Mine((2,), object, strides=(0,))",
    "strides of objects": "setattr(objects, 'strides', (0,))",
    "strides of a view": "setattr(objects[:], 'strides', (4,))",
    "strides beside objects": "setattr(mixed['b'], 'strides', (8,))",
    "strides of a copy's view": "setattr(mixed.copy()['b'][:], 'strides', (8,))",
    "as_strided": "as_strided(objects, (2,), (4,))",
    "as_strided beside objects": "as_strided(mixed['b'], (2,), (8,))",
    "strides of an iterator's": "setattr(iterated(), 'strides', (8,))",
    "as_strided of an iterator's": "as_strided(iterated(), (3,), (8,))",
    "strides of a memoryview's": "setattr(np.asarray(memoryview(mixed['b'])), 'strides', (8,))",
    "some fields as others": "mixed[['b']].view(beside)",
    "some fields set to others": "setattr(mixed[['b']], 'dtype', beside)",
    "some fields by their place": "mixed[['b']].getfield(beside, 0)",
    "some fields set by their place": "mixed[['b']].setfield(0, beside, 0)",
    "some fields of a record": "mixed[['b']][0].view(beside)",
    "some fields in a structure": "nested.view([('c', beside)])",
    "texts of another's memory": "np.array(['x' * 99], np.dtypes.StringDType()).view(np.dtypes.StringDType())",
    "numbers over objects": "np.frombuffer(objects, 'i8')",
    "numbers over a structure": "np.ndarray((2,), 'i8', mixed)",
    "a stream": "io.BytesIO(bytes(8)).readinto(objects)",
    "struct": "struct.pack_into('q', objects, 0, 1)",
    "a memoryview": "memoryview(objects)",
    "an array's own": "mixed.data",
    "a subclass's": "memoryview(objects.view(Mine))",
    "a masked array's": "memoryview(np.ma.array(objects))",
    "records'": "struct.pack_into('q', mixed.view(np.recarray), 0, 1)",
}

SCRIPT = """
import io, struct
import numpy as np
from numpy.lib.stride_tricks import as_strided

class Mine(np.ndarray):
    pass

class Making(np.ndarray):
    def __new__(cls, over):
        return super().__new__(cls, (1,), np.dtype("O"), over)
    def __init__(self, over):
        pass

class Becoming:
    def __init__(self, *kinds):
        self.kinds = [*kinds]
    @property
    def dtype(self):
        return np.dtype(self.kinds.pop(0) if len(self.kinds) > 1 else self.kinds[0])

numbers, said = np.array([0]), {}
objects, mixed = np.array([1, "x", None], dtype=object), np.zeros(3, [("a", "O"), ("b", "i8")])
beside = np.dtype({"names": ["b"], "formats": ["i8"], "offsets": [8], "itemsize": 16})
nested = np.zeros(2, [("c", mixed.dtype[["b"]])])
def of_objects(made):
    if not made.dtype.hasobject:
        raise TypeError("numbers")
    return made
def iterated():
    return np.nditer(mixed["b"], flags=["external_loop"], op_flags=["readwrite"])[0]
def attempt(label, act):
    try:
        made = act()
        if type(made) is memoryview and made.readonly and made.cast("B").readonly:
            return
        if isinstance(made, np.ndarray) and not made.dtype.hasobject and not made.flags.writeable:
            return
    except (TypeError, ValueError, BufferError) as error:
        return
    said[label] = repr(made)
"""

WORKING = """
import io, struct
import numpy as np
import pandas as pd
from scipy import stats
from sklearn.preprocessing import LabelEncoder, OneHotEncoder

objects = np.array(["b", "a", None, 3, 2.5], dtype=object)
assert objects[::2].tolist() == ["b", None, 2.5] and np.ndarray((2,), object).tolist() == [None, None]
assert sorted(np.unique(objects[:2])) == ["a", "b"] and objects.astype(str)[4] == "2.5" and (objects == 3).sum() == 1
assert np.ndarray((2, 2), "i4", np.arange(4, dtype="i4"), strides=(4, 8)).tolist() == [[0, 2], [1, 3]]
assert np.ndarray(shape=(2,), buffer=bytearray(16)).tolist() == [0, 0] and np.ndarray(3).shape == (3,)
assert np.ndarray((2,), dtype="i4", buffer=np.arange(4, dtype="i4"), offset=4, order="F").tolist() == [1, 2]
class Named(np.ndarray):
    def __new__(cls, values, name):
        made = np.asarray(values).view(cls)
        made.name = name
        return made
    def __init__(self, values, name):
        pass
    def __array_finalize__(self, other):
        self.name = getattr(other, "name", None)
named = Named(objects, "n")
assert named[:2].name == "n" and (Named([1, 2], "m") * 2).tolist() == [2, 4]
numbers = np.arange(6, dtype="u1")
view = memoryview(numbers)
assert view.tolist() == list(range(6)) and bytes(numbers) == bytes(range(6)) and struct.unpack_from("B", numbers, 2) == (2,)
view[1:3] = b"AB"; assert numbers.tolist()[:3] == [0, 65, 66] and memoryview(numbers[::2]).strides == (2,)
assert io.BytesIO(bytes(6)).readinto(numbers) == 6 and not numbers.any() and np.frombuffer(numbers, "u2").size == 3
numbers.flags.writeable = False
for write in (lambda: io.BytesIO(bytes(6)).readinto(numbers), lambda: memoryview(numbers).__setitem__(0, 1)):
    try: write()
    except (TypeError, ValueError, BufferError): continue
    raise AssertionError("written")
assert memoryview(np.zeros((2, 3), order="F")).f_contiguous and np.asarray(memoryview(np.eye(2))).tolist() == np.eye(2).tolist()
grid = np.zeros((3, 4)); grid.strides = (8, 8); assert grid.shape == (3, 4)
beside = np.frombuffer(bytes(range(8)), "u1"); assert np.lib.stride_tricks.sliding_window_view(beside, 3).shape == (6, 3)
flat = np.asarray(memoryview(bytearray(8))).view("u2"); flat.strides = (2,); assert flat.size == 4
mixed = np.zeros(2, [("a", "O"), ("b", "i8"), ("c", [("d", "O")])]); mixed["b"] = 1, 2
assert mixed.view(mixed.dtype).view(np.recarray).b.sum() == 3 and mixed[["b", "a"]].view(np.recarray).b[1] == 2
assert mixed.getfield("i8", 8).tolist() == [1, 2] and mixed.getfield(mixed.dtype, 0)["b"][1] == 2 and mixed[["b"]][0].item() == (1,)
mixed.setfield([3, 4], "i8", 8); assert mixed[1]["b"] == 4 and np.array(["a" * 40], np.dtypes.StringDType()).copy()[0] == "a" * 40
mixed.dtype = [("a", "O"), ("b", "i8"), ("c", [("d", "O")])]; assert mixed["c"]["d"].tolist() == [None, None] or not mixed["c"]["d"].any()
frame = pd.DataFrame({"k": ["x", "y", "x", None], "v": [1, 2, 3, 4], "o": [[1], {}, None, "s"]})
assert frame.groupby("k").v.sum().to_dict() == {"x": 4, "y": 2} and frame.k.str.upper()[1] == "Y" and frame.k.isna().sum() == 1
assert frame.merge(frame, on="k").shape == (6, 5) and pd.factorize(frame.k)[0].tolist() == [0, 1, 0, -1]
assert pd.Series(["3", "4"]).astype(int).sum() == 7 and pd.to_numeric(objects[3:]).tolist() == [3, 2.5] and frame.k.value_counts()["x"] == 2
assert pd.to_datetime(pd.Series(["2020-01-02", None])).dt.day[0] == 2
assert frame.sort_values(["k", "v"], ascending=False).index[0] == 1 and pd.Categorical(frame.k).codes.tolist() == [0, 1, 0, -1]
assert LabelEncoder().fit_transform(["q", "p", "q"]).tolist() == [1, 0, 1]
assert OneHotEncoder().fit_transform(frame[["k"]].dropna()).shape == (3, 2)
records = np.rec.fromarrays([np.array(["a", "b"], dtype=object), [1, 2]], names="n,m")
assert records.n[1] == "b" and np.rec.array([("a", 1)], dtype=[("n", "O"), ("m", "i8")]).m[0] == 1
assert np.ma.array(objects, mask=[1, 0, 0, 0, 0]).compressed()[0] == "a" and np.matrix([[1, 2]]).T.shape == (2, 1)
assert np.vectorize(lambda x: str(x), otypes=[object])(objects)[0] == "b" and np.frompyfunc(len, 1, 1)(np.array(["a"], object))[0] == 1
print("worked")
"""


class ObjectArrays(EarlyAndLate):
    names = NAMES
    early = ("numpy", "pandas")

    def test_their_memory_is_neither_lent_nor_made_of_numbers(self) -> None:
        attempts = "".join(f"attempt({label!r}, lambda: {text})\n" for label, text in LENT.items())
        self.assert_prints("{}\n", SCRIPT + attempts + "print(said)")

    def test_whoever_works_with_them_goes_on(self) -> None:
        self.assert_prints("worked\n", WORKING)


if __name__ == "__main__":
    unittest.main()
