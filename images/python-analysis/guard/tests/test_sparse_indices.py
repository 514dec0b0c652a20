"""Index arrays of sparse matrices are looked at when they are used, and whoever works with them goes on."""

from __future__ import annotations

import types
import unittest

from tests.host import IMPORTS, EarlyAndLate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OUTSIDE = {
    "an index": 'm.indices[0] = 50; m @ v',
    "an index that is set": "m.indices = np.array([50, 0], 'i4'); m @ v",
    "an index below": 'm.indices[0] = -50; m @ v',
    "indices that are given": 'sparse.csr_array((np.ones(1), [50], [0, 1]), shape=(1, 2)) @ v',
    "an array that is kept": "given = np.zeros(1, 'i4'); k = sparse.csr_array((np.ones(1), given, np.array([0, 1], 'i4')), shape=(1, 2)); given[0] = 50; k @ v",
    "a row's end": 'm.indptr[1] = 60; m @ v',
    "a row's beginning": 'm.indptr[0] = -60; m @ v',
    "a row in between": 'm.indptr[:] = 0, 60, 2; m @ v',
    "rows that are more": "m.indptr = np.array([0, 60, 2, 2], 'i4'); m.toarray()",
    "rows that are fewer": 'm.indptr = m.indptr[:2]; m @ v',
    "fewer values": 'm.data = np.ones(0); m @ v',
    "values that were resized": 'm.data.resize(1); m @ v',
    "an heir that answers": "m.indices = Heir((2,), 'i4'); m.indices[...] = 50; m @ v",
    "floats": 'm.indices = np.array([50.0, 1.0]); m @ v',
    "vectors": 'm.indices[0] = 50; m @ np.ones((2, 3))',
    "a matrix": 'm.indices[0] = 50; m @ m',
    "the second matrix": 'n.indices[0] = 50; m @ n',
    "a sum": 'n.indices[0] = 50; m + n',
    "a comparison": 'n.indptr[1] = 60; (m > n).nnz',
    "dense": 'm.indices[0] = 50; m.toarray()',
    "transposed": 'm.indices[0] = 50; m.T @ v',
    "columns": 'c = m.tocsc(); c.indices[0] = 50; c @ v',
    "columns times columns": 'c = m.tocsc(); c.indices[0] = 50; n.tocsc() @ c',
    "columns to rows": 'c = m.tocsc(); c.indices[0] = 50; c.tocsr()',
    "blocks": 'b = m.tobsr((1, 1)); b.indices[0] = 50; b @ v',
    "blocks times blocks": 'b = m.tobsr((1, 1)); b.indices[0] = 50; n.tobsr((1, 1)) @ b',
    "fewer blocks": 'b = m.tobsr((1, 1)); b.data = b.data[:1]; b.tocsr()',
    "coordinates": 'c = m.tocoo(); c.row[0] = 50; c @ v',
    "coordinates to dense": 'c = m.tocoo(); c.col[0] = 50; c.toarray()',
    "coordinates to rows": 'c = m.tocoo(); c.row[0] = -1; c.tocsr()',
    "coordinates of one dimension": 'c = sparse.coo_array(np.ones(2)); c.coords[0][0] = 50; c.toarray()',
    "coordinates of three": 'c = sparse.coo_array(np.ones((2, 2, 2))); c.coords[1][0] = 50; c.toarray()',
    "one diagonal": 'm.indptr[1] = 60; m.diagonal()',
    "rows by number": 'm.indptr[1] = 60; m[[0]]',
    "columns by number": 'm.indices[0] = 50; m[:, [0]]',
    "a place": 'm.indptr[1] = 60; m[[0], [0]]',
    "side by side": 'm.indptr[1] = 60; sparse.hstack([m, n])',
    "duplicates": 'm.indptr[1] = 60; m.sum_duplicates()',
    "zeros": 'm.indptr[1] = 60; m.eliminate_zeros()',
    "a solver": 'm.indices[0] = 50; linalg.spsolve(m, v)',
    "a factor": 'c = m.tocsc(); c.indptr[1] = 60; linalg.splu(c)',
}
"""What a script does with m and n, of two rows and columns and two entries, and the vector v of two."""

SCRIPT = """
import numpy as np
from scipy import sparse
from scipy.sparse import linalg

class Heir(np.ndarray):
    def view(self, *_): return np.zeros(2, "i4")
    min = max = size = __getitem__ = property(lambda self: print("asked"))

def attempt(label, act):
    m, n = (sparse.csr_array(np.array([[1.0, 0.0], [0.0, 2.0]])) for _ in range(2))
    try:
        act(m, n, np.ones(2))
    except (ValueError, IndexError, TypeError):
        return
    print(label)
"""

SAID = """
import numpy as np
from scipy import sparse
from scipy.sparse import linalg

large = sparse.csr_array(np.eye(40))
said = {}

def saying(kind, name):
    base = getattr(kind, name, None)
    def get(self):
        if name in said: return said[name](self)
        return base.fget(self) if base else getattr(self, "own_" + name)
    def put(self, value):
        base.fset(self, value) if base else setattr(self, "own_" + name, value)
    return property(get, put)

def heir(kind):
    class Heir(kind):
        nnz, shape, dtype = saying(kind, "nnz"), saying(kind, "shape"), saying(kind, "dtype")
        data, indices, indptr = saying(kind, "data"), saying(kind, "indices"), saying(kind, "indptr")
        offsets = saying(kind, "offsets")
    return Heir

def attempt(label, kind, act, **says):
    said.clear()
    m = heir(kind)(large)
    said.update(says)
    try:
        result = act(m)
    except (ValueError, IndexError, TypeError, AttributeError, NotImplementedError):
        return
    except MemoryError:
        return
    finally:
        said.clear()
    if label:  # without one: it may work as well, and stays inside
        print(label, type(result))

few = lambda self: 1
narrow = lambda self: np.dtype("i2")
attempt("to columns", sparse.csr_array, lambda m: m.tocsc(), nnz=few)
attempt("to rows", sparse.csc_array, lambda m: m.tocsr(), nnz=few)
attempt("", sparse.coo_array, lambda m: m.tocsr(), nnz=lambda self: 99)
attempt("", sparse.coo_array, lambda m: m.tocsr(), nnz=lambda self: -9)
attempt("to dense", sparse.coo_array, lambda m: m.toarray(), nnz=lambda self: 99)
attempt("coordinates times", sparse.coo_array, lambda m: m @ np.ones(40), nnz=lambda self: 99)
attempt("a sum", sparse.csr_array, lambda m: m + m, nnz=few)
attempt("a comparison", sparse.csr_array, lambda m: m != m, nnz=few)
attempt("blocks", sparse.csr_array, lambda m: m.tobsr((2, 2)), shape=lambda self: (40, 4))
attempt("blocks to rows", sparse.bsr_array, lambda m: m.tocsr(), nnz=few)
attempt("blocks transposed", sparse.bsr_array, lambda m: m.T.copy(), indices=lambda self: np.zeros(1, "i4"))
attempt("a shape that grows", sparse.csr_array, lambda m: m.tocsc(), shape=lambda self: (400000, 40))
attempt("a shape that shrinks", sparse.csr_array, lambda m: m.tocsc(), shape=lambda self: (40, 4))
attempt("a negative shape", sparse.csr_array, lambda m: m.tocsc(), shape=lambda self: (-40, 40))
attempt("a dense one", sparse.csr_array, lambda m: m.toarray(), shape=lambda self: (40, 4))
attempt("a vector", sparse.csr_array, lambda m: m @ np.ones(4), shape=lambda self: (40, 4))
attempt("a vector that is short", sparse.csr_array, lambda m: m.dot(np.ones(4)), shape=lambda self: (40, 4))
attempt("rows", sparse.csr_array, lambda m: m[[0, 39, 39]], indptr=lambda self: np.arange(0, 82, 2, dtype="i4"))
attempt("a factor", sparse.csc_array, lambda m: linalg.splu(m), nnz=lambda self: 4000)
attempt("", sparse.dia_array, lambda m: m @ np.ones(40), data=lambda self: np.ones((1, 4)))
attempt("diagonals to columns", sparse.dia_array, lambda m: m.tocsc(), data=lambda self: np.ones((1, 4)), offsets=lambda self: np.array([0, 9]))

class Number(int):
    def __index__(self): return 10**6
    def __eq__(self, other): return True
    __hash__ = int.__hash__
    def __le__(self, other): return True
    __ge__ = __lt__ = __gt__ = __le__
attempt("a number of its own", sparse.csr_array, lambda m: m.tocsc(), nnz=lambda self: Number(1))
attempt("a number for the rows", sparse.csr_array, lambda m: m.tocsc(), shape=lambda self: (Number(40), Number(4)))
attempt("a result that is short", sparse.csr_array, lambda m: m.toarray(out=np.zeros((40, 4))), shape=lambda self: (40, 4))

# The result lies over the places themselves, and over those of where rows begin.
memory = np.zeros(1600 * 8, "u1")
places = memory.view("i4")[:40]
places[:] = np.arange(40)
m = sparse.csr_array((np.full(40, -1e300), places, np.arange(41, dtype="i4")), shape=(40, 40))
m.indices = places
out = memory.view("f8").reshape(40, 40)
try:
    out = m.toarray(out=out)
except ValueError:
    pass
both = np.zeros(41, "i4")
both[:] = np.arange(41)
m.data, m.indices, m.indptr = np.ones(40), both[:40], both
for act in (m.sort_indices, m.sum_duplicates, m.eliminate_zeros):
    m.has_sorted_indices = m.has_canonical_format = False
    act()
print("all")
"""


WORKING = """
import numpy as np
from scipy import sparse
from scipy.sparse import linalg as sl
rng = np.random.default_rng(1)
d = (rng.random((12, 8)) < .4) * rng.integers(1, 9, (12, 8)).astype(float)
e = (rng.random((8, 6)) < .4) * rng.integers(1, 9, (8, 6)).astype(float)
v = rng.random(8); V = rng.random((8, 3))
for fmt in "csr csc coo bsr dia lil dok".split():
    for make in (sparse.csr_array, sparse.csr_matrix):
        a, b = make(d).asformat(fmt), make(e).asformat(fmt)
        assert np.allclose(a @ v, d @ v) and np.allclose(a @ V, d @ V), fmt
        assert np.allclose((a @ b).toarray(), d @ e) and np.allclose((a.T).toarray(), d.T)
        assert np.allclose((a + a).toarray(), 2*d) and np.allclose(a.multiply(a).toarray(), d*d) and np.allclose((a - a).toarray(), 0*d)
        assert np.allclose(a.diagonal(), d.diagonal()) and np.allclose(a.diagonal(1), d.diagonal(1))
        for to in "csr csc coo bsr dia lil dok".split(): assert np.allclose(a.asformat(to).toarray(), d), (fmt, to)
        assert np.allclose(a.sum(axis=0), d.sum(axis=0)) and np.allclose(a.tocsr().max(axis=1).toarray().ravel(), d.max(axis=1)) and np.allclose(abs(a).toarray(), d)
        c = a.tocsr()
        assert np.allclose(c[2:5].toarray(), d[2:5]) and np.allclose(c[:, [1, 3]].toarray(), d[:, [1, 3]]) and np.allclose(c[[1, 0]].toarray(), d[[1, 0]])
        assert np.allclose(np.ravel(c[[1, 2], [3, 4]]), d[[1, 2], [3, 4]]) and (c > 2).toarray().sum() == (d > 2).sum() and np.allclose(c.maximum(c * .5).toarray(), d)
        assert np.allclose(c[:, ::2].toarray(), d[:, ::2]) and np.allclose(c[::-1].toarray(), d[::-1]) and c[3, 4] == d[3, 4]
        s = sparse.hstack([c, c]); assert np.allclose(s.toarray(), np.hstack([d, d])); s = sparse.vstack([c, c]); assert s.shape == (24, 8)
        assert np.allclose(sparse.hstack([c.tocsc(), c.tocsc()]).toarray(), np.hstack([d, d])) and np.allclose(sparse.block_diag([c, c]).toarray()[:12, :8], d)
        c = c.copy(); c[0, 0] = 5; c[[1, 2], [1, 2]] = 7; c.eliminate_zeros(); c.sum_duplicates(); c.sort_indices(); c.setdiag(1); assert c.has_sorted_indices and c.has_canonical_format
        assert np.allclose(sparse.kron(a, a).toarray(), np.kron(d, d)) and (c != c).nnz == 0 and np.allclose((c / 2).toarray() * 2, c.toarray())
        assert np.allclose(c.power(2).toarray(), c.toarray()**2) and c.tobsr((2, 2)).tocsr().shape == (12, 8) and np.allclose((c.tobsr((2,2)) @ sparse.bsr_array(e, blocksize=(2,3))).toarray(), c.toarray() @ e)
        bb = c.tobsr((2, 2)); assert np.allclose((bb + bb).toarray(), 2 * c.toarray()) and np.allclose(bb.T.toarray(), c.toarray().T) and np.allclose(bb @ V, c.toarray() @ V); bb.sort_indices(); bb.eliminate_zeros(); bb.sum_duplicates()
        c.resize((6, 4)); assert c.shape == (6, 4); assert c.reshape((4, 6)).shape == (4, 6)
q = sparse.csc_array(d[:8] + 20 * np.eye(8))
assert np.allclose(sl.spsolve(q, v), np.linalg.solve(q.toarray(), v)) and np.allclose(sl.spsolve(q.tocsr(), V), np.linalg.solve(q.toarray(), V))
lu = sl.splu(q); assert np.allclose(lu.solve(v), sl.spsolve(q, v)) and sl.spilu(q).solve(v).shape == (8,) and np.allclose(sl.spsolve_triangular(sparse.tril(q).tocsr(), v), np.linalg.solve(np.tril(q.toarray()), v))
assert np.allclose(sl.inv(q).toarray(), np.linalg.inv(q.toarray())) and sl.cg(q.T @ q, v)[1] == 0 and sl.eigs(q, k=2)[0].shape == (2,) and sl.expm(q / 40).shape == (8, 8) and sl.norm(q) > 0
assert sparse.random_array((5, 5), density=.5).tocsc().toarray().shape == (5, 5) and sparse.eye_array(4).tocsr()[1, 1] == 1 and sparse.diags_array([1., 2, 3]).toarray()[2, 2] == 3
o = sparse.coo_array(np.array([1., 0, 2])); assert o.toarray().tolist() == [1, 0, 2] and o @ np.ones(3) == 3 and sparse.csr_array(np.array([1., 0, 2])).toarray().tolist() == [1, 0, 2]
n = sparse.coo_array(np.arange(24.).reshape(2, 3, 4)); assert np.allclose(n.toarray(), np.arange(24.).reshape(2, 3, 4)) and np.allclose(n.toarray(order="F"), n.toarray())
z = sparse.csr_array((0, 5)); assert (z @ np.ones(5)).shape == (0,) and sparse.csr_array((3, 0)).toarray().shape == (3, 0) and (sparse.csr_array((3, 4)) + sparse.csr_array((3, 4))).nnz == 0
print("worked")
"""


def _said(function: Any, count: int) -> str:
    """Return what a function says when it is called with that many arguments; it looks at their number after their types."""
    import numpy

    try:
        function(*[numpy.zeros(1, "?")] * count)
    except (ValueError, TypeError, IndexError) as error:
        return str(error)
    return ""


class SparseIndices(EarlyAndLate):
    names = [*IMPORTS, "scipy.sparse", "scipy.sparse.linalg"]
    early = ("scipy.sparse.linalg",)

    def test_none_reaches_outside_of_its_matrix(self) -> None:
        attempts = "".join(
            f"def act(m, n, v):\n    {text.replace('; ', chr(10) + '    ')}\nattempt({label!r}, act)\n" for label, text in OUTSIDE.items()
        )
        self.assert_prints("all\n", SCRIPT + attempts + "print('all')")

    def test_none_believes_what_a_subclass_says_of_sizes(self) -> None:
        self.assert_prints("all\n", SAID)

    def test_a_layout_describes_each_of_the_native_functions(self) -> None:
        from scipy.sparse import _sparsetools
        from scipy.sparse.linalg._dsolve import _superlu

        from hotcell_guard.libraries._sparse_routines import ROUTINES, SOLVERS

        natives = {name for name, each in vars(_sparsetools).items() if isinstance(each, types.BuiltinFunctionType)}
        self.assertEqual(natives - {"test_throw_error"}, set(ROUTINES))
        self.assertEqual({name for name, each in vars(_superlu).items() if isinstance(each, types.BuiltinFunctionType)}, set(SOLVERS))
        for name, layout in ROUTINES.items():
            with self.subTest(name=name):
                count = sum("=" not in word for word in layout.split())
                self.assertIn("out of range", _said(getattr(_sparsetools, name), count - 1))
                self.assertIn("too many", _said(getattr(_sparsetools, name), count + 1))

    def test_whoever_works_with_them_goes_on(self) -> None:
        self.assert_prints("worked\n", WORKING)


if __name__ == "__main__":
    unittest.main()
