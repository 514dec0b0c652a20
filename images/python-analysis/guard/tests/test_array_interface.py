"""numpy's array interface is closed: nobody can tell numpy where memory is."""

from __future__ import annotations

import subprocess
import sys
import unittest

from tests.host import IMPORTS, SOURCE, Host, Run

NAMES = [*IMPORTS, "scipy.spatial", "numpy.lib.stride_tricks", "PIL.Image", "copy", "types", "pydantic"]

ATTACK = """
import dataclasses, enum, io, types, copy, time, typing
import numpy as np, pandas as pd, matplotlib.pyplot as plt
secret = b'0123456789abcdef'
memory = {'shape': (48,), 'typestr': '|u1', 'data': (id(secret), False), 'version': 3}
name = '__array_inter' + 'face__'
windows = np.lib.stride_tricks.sliding_window_view(np.arange(5), 3)
holder = windows.base
while isinstance(holder, np.ndarray): holder = holder.base
plt.imsave('red.png', np.ones((2, 2, 3)))
from PIL import Image
import pydantic
class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra='allow')
class Lying(Image.Image):
    size, mode = (48, 1), 'L'
    def __init__(self): pass
    def tobytes(self, *a): return Lying.said
sources = SOURCES
"""
SOURCES = {
    "make_dataclass": "dataclasses.make_dataclass('A', [], namespace={name: memory})()",
    "a class, not its object": "dataclasses.make_dataclass('A', [], namespace={name: memory})",
    "a namespace of the interpreter's": "copy.replace(time.get_clock_info('time'), **{name: memory})",
    "a model that answers to any name": "Model.model_construct(**{name: memory})",
    "the class of a view's base": "type(holder)(memory)",
    "the class of a view's base, by keyword": "type(holder)(interface=memory)",
    "an image that lies about its size": "setattr(Lying, 'said', b'0') or Lying()",
    "an image that gives an address": "setattr(Lying, 'said', (id(secret), False)) or Lying()",
    "an image of an object": "Image.fromarray(dataclasses.make_dataclass('A', [], namespace={name: memory})())",
}
ATTEMPTS = """
for label, text in sources.items():
    def look():
        return bytes(np.asarray(text()))
    try: found = look()
    except (TypeError, ValueError, AttributeError, SystemError) as error: said[label] = f'{type(error).__name__}: {error}'
    else: said[label] = 'ESCAPED' if secret in found or len(found) == 48 else 'held'
result = said
"""
WORKING = """
import io
import numpy as np, pandas as pd, matplotlib.pyplot as plt
from scipy.spatial import cKDTree
from PIL import Image
view = np.lib.stride_tricks.sliding_window_view
assert view(np.arange(10)[::2], 2).tolist() == [[0, 2], [2, 4], [4, 6], [6, 8]]
assert np.lib.stride_tricks.as_strided(np.arange(4), (3, 2), (8, 8)).tolist() == [[0, 1], [1, 2], [2, 3]]
assert np.broadcast_to(np.arange(3), (2, 3)).sum() == 6
frame = pd.DataFrame({'a': [1, 2], 'b': [3.0, 4.0]})
assert np.asarray(frame).tolist() == [[1, 3], [2, 4]] and np.asarray(frame.a).tolist() == [1, 2]
class Own:
    def __array__(self, dtype=None, copy=None): return np.arange(3)
assert np.asarray(Own()).tolist() == [0, 1, 2]
assert np.asarray(memoryview(b'ab')).tolist() == [97, 98]
pixels = (np.arange(24).reshape(2, 4, 3) * 10).astype('uint8')
image = Image.fromarray(pixels)
assert image.size == (4, 2) and image.mode == 'RGB' and (np.asarray(image) == pixels).all()
assert (np.array(image, dtype=float) == pixels).all() and np.asarray(image.convert('1')).dtype == bool
assert Image.fromarray(pixels[:, ::2]).size == (2, 2) and Image.fromarray(np.eye(3) > 0).mode == '1'
plt.imsave('a.png', pixels); assert plt.imread('a.png').shape == (2, 4, 4)
plt.imshow(image)
tree = cKDTree(np.array([[0.0, 0], [0, 1], [5, 5]]))
assert tree.query_pairs(2, output_type='ndarray').tolist() == [[0, 1]]
assert len(tree.sparse_distance_matrix(tree, 2, output_type='ndarray')) == 5
assert tree.sparse_distance_matrix(tree, 2, output_type='coo_matrix').shape == (3, 3)
"""
STRIDES = """
import numpy as np
found = []
def restride(array, strides): array.strides = strides
middle = np.frombuffer(bytearray(16), 'u1', offset=8)
for label, reach in {
    "the setter, past a buffer's end": lambda: restride(middle, (2,)),
    "the setter, before it": lambda: restride(middle, (-1,)),
    "as_strided, past the end": lambda: np.lib.stride_tricks.as_strided(middle, (9,), (1,)),
    "as_strided, before it": lambda: np.lib.stride_tricks.as_strided(middle, (2,), (-1,)),
    "as_strided, of nothing": lambda: np.lib.stride_tricks.as_strided(middle[:0], (1,), (1,)),
    "as_strided, of objects": lambda: np.lib.stride_tricks.as_strided(np.array([1, None]), (1,), (8,)),
    "too few strides": lambda: restride(middle, ()),
}.items():
    try: reach()
    except ValueError: continue
    found.append(label)
whole = np.arange(6)
view = np.lib.stride_tricks.as_strided(whole, (3, 2), (8, 8))
view[0, 1] = 7
assert whole[1] == 7 and view.base is not None and view.flags.writeable
assert not np.lib.stride_tricks.as_strided(whole, writeable=False).flags.writeable
turned = np.lib.stride_tricks.as_strided(whole[::-1], (6,), (-8,))
assert turned.tolist() == whole[::-1].tolist()
assert np.lib.stride_tricks.as_strided(whole, (0, 3), (8, 8)).shape == (0, 3)
days = np.arange('2026-01-01', '2026-01-05', dtype='datetime64[D]')
assert np.lib.stride_tricks.sliding_window_view(days[::2], 2).shape == (1, 2)
grid = np.ma.array(np.arange(4).reshape(2, 2), mask=[[0, 1], [0, 0]])
assert grid.T.sum() == 5 and np.lib.array_utils.byte_bounds(whole)[1] - np.lib.array_utils.byte_bounds(whole)[0] == 48
order = np.arange(6).reshape(2, 3); order.strides = (8, 16); assert order.tolist() == [[0, 2, 4], [1, 3, 5]]
result = found
"""
CHANGED = """
import sys
sys.path.insert(0, {source!r})
from hotcell_guard.libraries import _array_interface as closed, _natives
import numpy
interface = closed.ArrayInterface(_natives.take())
{change}
try:
    interface.close(numpy)
except closed.ArrayInterfaceFault as fault:
    print(fault)
"""
CHANGES = {
    "another key": ("closed._KEY, closed._NAME = b'typestx', 'typestx'", "has 0 constants"),
    "a key that occurs several times": ("closed._Memory.find = lambda *a: [1, 2]", "has 4 constants"),
    "closed already": ("interface.close(numpy)", "has been closed already"),
    "no ELF": ("closed._Memory.read = lambda self, address, size: bytes(size)", "is not ELF"),
    "another library": ("numpy.ndarray = int", "is not where its classes are"),
    "not overwritten": ("closed._Memory.overwrite_constant = lambda *a: None", "still believes"),
    "overwritten by text": ("closed._NO_TEXT = b'0123456'", "still believes"),
    "views that fail": ("numpy.lib.stride_tricks.sliding_window_view = lambda *a: numpy.zeros(2)", "views of arrays"),
    "a foreign description believed": ("closed._is_believed = lambda *a: True", "still believes"),
    "arrays that do not describe themselves": ("closed._describer = lambda *a: lambda array: {}", "do not describe"),
    "a native description": ("_natives.Natives.drop = lambda *a: None", "native description"),
}


class ArrayInterface(unittest.TestCase):
    def run_script(self, script: str) -> Run:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(script, imports=NAMES)
        self.assertEqual(run.outcome, "completed", run.report)
        return run

    def test_no_object_tells_numpy_where_memory_is(self) -> None:
        sources = "{" + ", ".join(f"{label!r}: lambda: {text}" for label, text in SOURCES.items()) + "}"
        run = self.run_script(ATTACK.replace("SOURCES", sources) + "said = {}" + ATTEMPTS)
        said = run.report["result"]
        self.assertEqual(said.keys(), SOURCES.keys())
        self.assertEqual([label for label, words in said.items() if words == "ESCAPED"], [])
        self.assertIn("UnicodeDecodeError", said["a model that answers to any name"])

    def test_a_view_stays_inside_what_the_array_shows(self) -> None:
        run = self.run_script(STRIDES)
        self.assertEqual(run.report["result"], [])

    def test_arrays_images_and_trees_go_on_working(self) -> None:
        self.run_script(WORKING + "\nNone")

    def test_whatever_is_not_as_expected_is_a_fault(self) -> None:
        for label, (change, words) in CHANGES.items():
            with self.subTest(label):
                program = CHANGED.format(source=str(SOURCE), change=change)
                ended = subprocess.run([sys.executable, "-sB", "-c", program], capture_output=True, text=True, check=True)
                self.assertIn(words, ended.stdout)


if __name__ == "__main__":
    unittest.main()
