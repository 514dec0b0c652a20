"""Arrays' memory stays where it is as long as somebody may look at it, and whoever works with iterators and resize goes on."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, EarlyAndLate

KEPT = {
    "an iterator that is closed": """
        it = np.nditer([np.zeros(200)], ["external_loop"])
        kept = it[0]
        it.close()""",
    "an iterator whose with has ended": """
        with np.nditer([np.zeros(200)], ["external_loop"]) as it:
            for kept in it: pass
        del it""",
    "buffers": """
        it = np.nditer([np.zeros(200, "f4")], ["buffered", "external_loop"], op_dtypes=["f8"], casting="same_kind", buffersize=200)
        kept = it.value
        it.close()""",
    "buffers that are written back": """
        with np.nditer([np.zeros(200, "f4")], ["buffered", "external_loop"], ["readwrite"], ["f8"], casting="same_kind", buffersize=200) as it:
            for kept in it: kept[...] = 1""",
    "a copy that is written back": """
        with np.nditer([np.zeros(200, "f4")], ["external_loop"], [["readwrite", "updateifcopy"]], ["f8"], casting="same_kind") as it:
            kept = it[0]""",
    "a copied iterator": """
        it = np.nditer([np.zeros(200)], ["external_loop"])
        it = it.copy()
        kept = it[0]
        it.close()""",
    "nested iterators": """
        outer, inner = np.nested_iters(np.zeros((1, 200), "f4"), [[0], [1]], ["buffered", "external_loop"],
            op_dtypes=["f8"], casting="same_kind", buffersize=200)
        for _ in outer:
            for kept in inner: pass
        inner.close(); outer.close()
        del outer""",
    "nested iterators over a copy": """
        outer, inner = np.nested_iters(np.zeros((1, 200), "f4"), [[0], [1]], ["external_loop"], [["readonly", "copy"]], ["f8"], casting="same_kind")
        for _ in outer:
            for kept in inner: pass
        outer.close(); inner.close()""",
    "a resize without a check": """
        array = np.zeros(200)
        kept = array[:]
        array.resize(200_000, refcheck=False)""",
    "a resize of what has no name": """
        box = [np.zeros(200)]
        kept = box[0][:]
        box.pop().resize(200_000)""",
    "a resize of what lost its name": """
        def resize(array):
            box = [array]
            kept = array[:]
            del array
            box.pop().resize(200_000)
            return kept
        kept = resize(np.zeros(200))""",
    "a resize under a memoryview": """
        array = np.zeros(200)
        kept = memoryview(array)
        array.resize(200_000, refcheck=False)""",
    "a resize by getattr": """
        box = [np.zeros(200)]
        kept = box[0][:]
        getattr(box.pop(), "".join(["re", "size"]))(200_000)""",
    "a resize of the class": """
        box = [np.zeros(200)]
        kept = box[0][:]
        np.ndarray.resize(box.pop(), 200_000, refcheck=False)""",
    "a resize called by another": """
        box = [np.zeros(200)]
        kept = box[0][:]
        list(map(np.ndarray.resize, [box.pop()], [200_000]))""",
    "a resize at the end of a with": """
        box = [np.zeros(200)]
        kept = box[0][:]
        with contextlib.ExitStack() as stack:
            stack.callback(box.pop().resize, 200_000, refcheck=False)""",
    "a resize by methodcaller": """
        box = [np.zeros(200)]
        kept = box[0][:]
        operator.methodcaller("resize", 200_000, refcheck=False)(box.pop())""",
    "a resize by attrgetter": """
        box = [np.zeros(200)]
        kept = box[0][:]
        operator.attrgetter("resize")(box.pop())(200_000, refcheck=False)""",
    "a resize of an heir": """
        class Heir(np.ndarray):
            def grow(self):
                super().resize(200_000, refcheck=False)
        box = [np.zeros(200).view(Heir).copy()]
        kept = box[0][:]
        box.pop().grow()""",
    "a resize in each row": """
        box = [np.zeros(200)]
        kept = box[0][:]
        pd.Series(box).apply(np.ndarray.resize, args=(200_000,), refcheck=False)""",
    "a resize in a query": """
        array = np.zeros(200)
        kept = array[:]
        pd.DataFrame({"a": [1]}).query("a == @array.resize(200000)")""",
    "a smaller one": """
        box = [np.zeros(200_000)]
        kept = box[0][:200]
        box.pop().resize(1)""",
    "a resize by an item": """
        class Item:
            def __float__(self):
                while box:
                    box.pop().resize(200_000)
                    raise AssertionError("resized")
        box = [np.zeros(200)]
        box[0][5] = Item()""",
    "a resize after a thread": """
        thread = threading.Thread(target=int)
        thread.start(); thread.join()
        array = np.zeros(200)
        array.resize(200_000)
        raise AssertionError("resized")""",
}
"""Ways to look at memory after it is freed. What has no sentence of its own is refused, or what is kept is as it was."""

SCRIPT = """
import contextlib, operator, threading
import numpy as np
import pandas as pd

def others():
    return [np.full(200, 7.0) for _ in range(64)]

def attempt(label, act):
    try:
        kept = act()
    except (ValueError, TypeError, AttributeError, PermissionError) as error:
        assert 'resize' in str(error), (label, error)
        return
    except AssertionError as error:
        print(label, error)
        return
    held = others()
    if 7.0 in np.asarray(kept):
        print(label)
"""

WORKING = """
import numpy as np

def written(flags, access, count, **options):
    target = np.arange(10, dtype="i4")
    with np.nditer([target], flags, [access], ["f8"], casting="unsafe", **options) as it:
        for at, each in enumerate(it):
            each[...] = 100 + at
            if at == count:
                break
    return target.tolist()

assert written(["buffered"], ["readwrite"], 6, buffersize=4) == [*range(100, 107), 7, 8, 9]
assert written(["buffered", "external_loop"], ["readwrite"], 9, buffersize=5) == [100] * 5 + [101] * 5
assert written([], ["readwrite", "updateifcopy"], 6) == [*range(100, 107), 7, 8, 9]
assert written(("buffered", "c_index"), ["readwrite"], 20) == [*range(100, 110)]
with np.nditer([np.arange(4.0), None]) as it:
    for a, b in it:
        b[...] = a * 2
    assert it.operands[1].tolist() == [0, 2, 4, 6]
it = np.nditer(np.arange(6).reshape(2, 3), flags=["multi_index"], order="F")
assert [(int(each), it.multi_index) for each in it][1] == (3, (1, 0)) and sum(1 for _ in np.nditer(np.eye(3))) == 9
source, total = np.arange(24.0).reshape(4, 6), np.zeros(4, "f4")
with np.nditer([source, total], ["reduce_ok", "buffered", "delay_bufalloc"], [["readonly"], ["readwrite"]],
               op_dtypes=["f8", "f8"], op_axes=[[0, 1], [0, -1]], casting="same_kind", buffersize=5) as it:
    it.operands[1][...] = 1
    it.reset()
    for part, sums in it:
        sums[...] += part
assert total.tolist() == (source.sum(axis=1) + 1).tolist()
wide = np.zeros((2, 3), "f4")
outer, inner = np.nested_iters(wide, [[0], [1]], ["buffered"], ["readwrite"], ["f8"], casting="same_kind")
with outer, inner:
    for row, _ in enumerate(outer):
        for each in inner:
            each[...] = row + 1
assert wide.tolist() == [[1, 1, 1], [2, 2, 2]], wide
ranged = np.nditer(np.arange(9), ["ranged", "buffered"])
ranged.iterrange = (2, 5)
assert [int(each) for each in ranged] == [2, 3, 4]
for wrong in (lambda: np.nditer(np.eye(2), "buffered"), lambda: np.nditer(np.eye(2), ["nothing"])):
    try: wrong()
    except (TypeError, ValueError): continue
    raise AssertionError("made")

grown = np.arange(4)
grown.resize((2, 3)); assert grown.tolist() == [[0, 1, 2], [3, 0, 0]]
grown.resize(8, refcheck=False); assert grown.tolist() == [0, 1, 2, 3, 0, 0, 0, 0]
grown.resize([1, 2]); grown.resize(); grown.resize(None); assert grown.tolist() == [[0, 1]]
view = grown[:]
grown.resize(2, 1); assert grown.tolist() == [[0], [1]] and view.tolist() == [[0, 1]]

class Buffer:
    def __init__(self):
        self.data, self.used = np.zeros(1), 0
    def add(self, value):
        if self.used == self.data.size:
            self.data.resize(2 * self.used)
        self.data[self.used] = value
        self.used += 1

buffer = Buffer()
for each in range(5):
    buffer.add(each)
assert buffer.data.tolist() == [0, 1, 2, 3, 4, 0, 0, 0]

def enlarged(array):
    array.resize(array.size + 1, refcheck=False)

def around():
    mine = np.ones(2)
    def inside():
        mine.resize(4)
        return mine
    return inside().tolist()

def handing_on():
    mine = np.ones(2)
    enlarged(mine)
    return mine.tolist()

assert around() == [1, 1, 0, 0] and handing_on() == [1, 1, 0]
for wrong, kind in ((lambda: np.zeros(3)[:].resize(5), ValueError), (lambda: grown.resize(-1), ValueError), (lambda: grown.resize("x"), TypeError),
                    (lambda: grown.resize(2.5), TypeError), (lambda: grown.resize(3, order="C"), TypeError)):
    try: wrong()
    except kind: continue
    raise AssertionError(kind)
masked = np.ma.zeros(3)
np.ma.put(masked, [0, 1], [5, 6]); assert masked.tolist() == [5, 6, 0] and np.resize([1, 2], 3).tolist() == [1, 2, 1]
print("worked")
"""


class ArrayMemory(EarlyAndLate):
    names = [*IMPORTS, "threading"]
    early = ("numpy",)

    def test_memory_is_kept_for_who_may_look_at_it(self) -> None:
        functions = "".join(
            f"def act():\n    kept = None{text}\n        return kept\n".replace("\n        ", "\n    ") + f"attempt({label!r}, act)\n"
            for label, text in KEPT.items()
        )
        self.assert_prints("all\n", SCRIPT + functions + "print('all')")

    def test_whoever_iterates_and_resizes_goes_on(self) -> None:
        self.assert_prints("worked\n", WORKING)


if __name__ == "__main__":
    unittest.main()
