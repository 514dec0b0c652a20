"""Native code that lends its memory out or believes what it is told: what goes on working, and what is lent."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, Host

MODULES = [*IMPORTS, "array", "copy", "numpy.random", "scipy.integrate", "scipy.odr", "scipy.sparse", "scipy.sparse.linalg", "zoneinfo"]

EARLY = [
    {"name": f"early{at}", "module": module}
    for at, module in enumerate("array numpy.random pandas scipy.integrate scipy.optimize scipy.sparse.linalg".split())
]
"""Modules that are loaded before the guard changes anything."""

STREAMS = """
import gzip, io, zipfile

path = OUTPUT / "x.gz"
with gzip.open(path, "wt") as file:
    file.write("one\\ntwo\\n" * 50_000)
with gzip.open(path, "rt") as file:
    assert file.readline() == "one\\n" and len(file.readlines()) == 99_999
with gzip.open(path) as file:
    assert file.read(3) == b"one" and file.seek(4) == 4 and file.read1(3) == b"two" and file.peek(1)[:1] == b"\\n"
plain = OUTPUT / "x.bin"
for buffering in (0, 1 << 10, -1):
    with open(plain, "wb", buffering) as file:
        assert file.write(b"abc" * 5000) == 15_000
    with open(plain, "rb", buffering) as file:
        buffer = bytearray(6)
        assert file.read(3) == b"abc" and file.readinto(buffer) == 6 and buffer == b"abcabc"
        assert file.seek(-2, 2) == 14_998 and file.read() == b"bc" and file.read() == b"" and file.name == str(plain)
with open(plain, "r+b") as file:
    assert file.read(2) == b"ab" and file.seek(0) == 0 and file.write(b"x") == 1
with open(plain) as file:
    assert file.readline()[:4] == "xbca" and file.buffer.raw.closed is False and file.buffer.raw.readable()
with zipfile.ZipFile(OUTPUT / "x.zip", "w") as archive:
    archive.writestr("name", b"content")
assert io.TextIOWrapper(zipfile.ZipFile(OUTPUT / "x.zip").open("name")).read() == "content"
kind, kept = type(open(plain, "rb")), []

class Raw:
    closed = False
    left = [b"ab", b"cd\\n", b"ef"]
    readable = seekable = lambda self: True
    def readinto(self, buffer):
        kept.append(buffer)
        data = self.left.pop(0) if self.left else b""
        buffer[:len(data)] = data
        return len(data)
    tell = lambda self: 0
    flush = close = lambda self: None

reader = kind(Raw(), 16)
assert reader.readline() == b"abcd\\n" and reader.read(8) == b"ef"
assert {type(each) for each in kept} == {bytearray}
for make in (lambda: type("Mine", (kind,), {})(Raw()), lambda: setattr(open(plain, "rb").raw, "readinto", print)):
    try:
        make()
    except (TypeError, AttributeError):
        continue
    raise AssertionError("made")
print("worked")
"""

ARRAYS = """
from array import array
import io
import random
import numpy as np

a = array("i", [1, 2, 3])
a[0] = 10; a[-1] += 1; a[1:2] = array("i", [7, 8]); a[0] = np.int64(5); a[1] = True
del a[1]
a.append(9); a.append(np.int32(4)); a.insert(0, 0); a.extend(range(2)); a.extend(array("i", [6])); a.fromlist([1, 2]); a += a[:1]
assert a.tolist() == [0, 5, 8, 4, 9, 4, 0, 1, 6, 1, 2, 0], a
d = array("d", [1, 2.5]); d[0] = 3; d[1] = np.float64(0.1); d.extend((1, np.float32(2)))
assert d.tolist() == [3.0, 0.1, 1.0, 2.0] and array("w", "abc").tounicode() == "abc"
random.shuffle(a); a.reverse(); assert a.pop() in range(11) and a.index(a[3]) <= 3
for wrong, kind in ((lambda: a.append("x"), TypeError), (lambda: a.append(2**40), OverflowError), (lambda: a.fromlist((1,)), TypeError),
                    (lambda: a.__setitem__(99, 1), IndexError), (lambda: d.append(None), TypeError), (lambda: a.extend(array("b")), TypeError)):
    try:
        wrong()
    except kind:
        continue
    raise AssertionError(kind)
stream = io.BytesIO()
d.tofile(stream)
assert array("d", stream.getvalue()) == d and np.asarray(d).sum() == 6.1

class Mine(array):
    def __setitem__(self, key, value):
        super().__setitem__(key, value + 1)

mine = Mine("i", [1]); mine[0] = 4
assert mine[0] == 5

class Shrinking:
    def __index__(self):
        del a[2:]
        return 7

a = array("i", range(9)); a.append(Shrinking())
assert a.tolist() == [0, 1, 7]
a = array("i", range(9)); a.extend([5, Shrinking()])
assert a.tolist() == [0, 1, 5, 7]
a = array("i", range(9))
try:
    a[8] = Shrinking()
except IndexError:
    assert a.tolist() == [0, 1]
else:
    raise AssertionError("written beyond the array")
print("worked")
"""

RANDOM = """
import copy
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from scipy import stats

for kind in (np.random.MT19937, np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64):
    rng = np.random.Generator(kind(np.random.SeedSequence(5)))
    rng.integers(9, dtype="u4")
    saved, first = rng.bit_generator.state, rng.random(5)
    rng.bit_generator.state = saved
    assert (rng.random(5) == first).all(), kind
    rng.bit_generator.state = copy.deepcopy(saved)
    other = copy.deepcopy(rng)
    assert (rng.random(5) == first).all() and (other.random(5) == first).all()
    rng.spawn(2)
state = np.random.RandomState(3)
saved, first = state.get_state(), state.normal(size=3)
for form in (saved, list(saved) and tuple(saved), saved[:3] + (saved[3], saved[4])):
    state.set_state(form)
    assert (state.normal(size=3) == first).all()
saved = state.get_state(legacy=False)
first = state.rand(700)
state.set_state(saved)
assert (state.rand(700) == first).all()
for seed in (5, np.int64(5), [1, 2], np.arange(3), None, np.uint8(5), True):
    np.random.RandomState(seed); np.random.seed(seed)
assert np.random.RandomState(np.int64(5)).rand() == np.random.RandomState(5).rand() == np.random.RandomState(np.random.MT19937(5)).rand() or True
assert np.random.RandomState(np.int64(5)).rand() == np.random.RandomState(5).rand()
saved = np.random.get_state(); first = np.random.rand(); np.random.set_state(saved)
assert np.random.rand() == first and np.random.default_rng(7).random() == np.random.default_rng(7).random()
assert np.random.default_rng(np.random.PCG64(3)).random() == np.random.default_rng(3).random()
stats.norm.rvs(size=2, random_state=np.random.RandomState(2))
lock, found = np.random.MT19937(1).lock, []
def release():
    try:
        lock.release()
    except RuntimeError as error:
        found.append(str(error))
with lock, ThreadPoolExecutor(1) as pool:
    pool.submit(release).result()
assert found == ["cannot release un-acquired lock"]
for wrong in (lambda: np.random.RandomState("x"), lambda: np.random.RandomState(-1), lambda: np.random.RandomState(1.5),
              lambda: state.set_state(("MT19937", saved[1], 625)), lambda: state.set_state(("MT19937", saved[1], -1))):
    try:
        wrong()
    except (TypeError, ValueError):
        continue
    raise AssertionError("made")
print("worked")
"""

CALLBACKS = """
import warnings
import numpy as np
import scipy.sparse.linalg as linear
from scipy import integrate, odr, optimize

warnings.simplefilter("ignore")
lent = []

def seen(*args):
    for each in args:
        if isinstance(each, np.ndarray):
            owner = each
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            if owner.base is None and not owner.flags.owndata:
                lent.append(each)
    return True

one = np.ones(4)
decay, slope = lambda y, t: seen(y) and -y, lambda y, t: seen(y) and -np.eye(4)
end = np.exp(-1)
assert np.allclose(integrate.odeint(decay, one, [0, 1.0], Dfun=slope)[-1], end)
assert np.allclose(integrate.odeint(lambda t, y, k: seen(y) and -k * y, one, [0, 1.0], args=(1,), tfirst=True)[-1], end)
square, double = lambda x: seen(x) and x * x - 2, lambda x: seen(x) and np.diag(2 * x)
for found in (optimize.fsolve(square, one), optimize.fsolve(square, one, fprime=double), optimize.leastsq(square, one)[0],
              optimize.leastsq(square, one, Dfun=double)[0], optimize.root(square, one, jac=double, method="lm").x,
              optimize.least_squares(square, one, method="lm").x):
    assert np.allclose(found, 2**0.5), found
x = np.arange(5.0)
assert np.allclose(optimize.curve_fit(lambda x, a, b: seen(x) and a * x + b, x, 2 * x + 1)[0], [2, 1])
for name in "vode zvode lsoda dopri5 dop853".split():
    for method in ("adams", "bdf"):
        def f(t, y, k): return seen(y) and -k * y
        class Jac:
            def __call__(self, t, y, k): return seen(y) and -k * np.eye(4)
        solver = integrate.ode(f, Jac()).set_integrator(name, **({"method": method} if "vode" in name else {}))
        solver.set_f_params(1.0).set_jac_params(1.0)
        if name.startswith("dop"):
            steps = []
            solver.set_solout(lambda t, y: seen(y) and steps.append(t))
        assert np.allclose(solver.set_initial_value(one, 0).integrate(1.0), end, rtol=1e-3), name
        assert not name.startswith("dop") or steps[-1] == 1.0
for method in ("RK45", "LSODA", "BDF"):
    assert np.allclose(integrate.solve_ivp(lambda t, y: seen(y) and -y, (0, 1), one, method=method).y[:, -1], end, rtol=1e-2)
assert np.isclose(integrate.quad(lambda x: x, 0, 2)[0], 2)
limit = {"type": "ineq", "fun": lambda x: seen(x) and x[0] - 1}
for method in ("COBYLA", "SLSQP"):
    best = optimize.minimize(lambda x: seen(x) and float(x @ x), 2 * one, method=method, constraints=[limit])
    assert np.allclose(best.x, [1, 0, 0, 0], atol=1e-3), best
matrix = np.eye(30) + np.arange(30.0)
product = linear.LinearOperator((30, 30), lambda x: seen(x) and matrix @ x, lambda x: seen(x) and matrix.T @ x, dtype=float)
largest = np.linalg.svd(matrix)[1][:2]
for solver in ("propack", "arpack"):
    assert np.allclose(np.sort(linear.svds(product, k=2, solver=solver, random_state=1)[1])[::-1], largest), solver
model = odr.Model(lambda b, x: seen(b, x) and b[0] * x + b[1])
assert np.allclose(odr.ODR(odr.RealData(x, 2 * x + 1), model, [1.0, 0.0]).run().beta, [2, 1])
assert not lent, len(lent)
print("worked")
"""

REST = """
import datetime
import io
import pandas as pd

class Exact(bytes):
    def __len__(self):
        return 3000

class File:
    def __init__(self, *pieces):
        self.pieces = [*pieces]
    def read(self, size=-1):
        return self.pieces.pop(0) if self.pieces else b""
    def __iter__(self):
        return self

assert pd.read_csv(File(b"a,b\\n", Exact(b"1,2\\n"))).to_numpy().tolist() == [[1, 2]]
assert pd.read_csv(io.StringIO("a\\n1")).a[0] == 1 and pd.read_csv(io.BytesIO(b"a\\n1")).a[0] == 1
chunks = pd.read_csv(io.StringIO("a\\n" + "1\\n" * 100), chunksize=30)
assert [len(each) for each in chunks] == [30, 30, 30, 10]
assert datetime.date(2024, 2, 29).ctime() == "Thu Feb 29 00:00:00 2024"
assert datetime.datetime(1, 1, 1, 5).ctime() == "Mon Jan  1 05:00:00 0001"
for bad in (datetime.date(b"\\0\\0\\1\\0"), datetime.datetime(b"\\0\\0\\1\\0" + bytes(6))):
    try:
        bad.ctime()
    except ValueError as error:
        assert "year 0" in str(error)
    else:
        raise AssertionError("a day before the first")
print("worked")
"""


CONTEXTS = """
import copy
import decimal

class Mine(decimal.Context):
    pass

kept = [kind(prec=n + 1).flags for n in range(100) for kind in (decimal.Context, Mine)]
kept += [copy.copy(decimal.Context()).traps, decimal.getcontext().copy().flags, getattr(decimal.Context(), "traps")]
with decimal.localcontext() as context:
    kept.append(context.flags)
memory = [b"A" * size for size in (16, 24, 32, 40, 48, 64, 72, 80, 88, 96, 112, 128) for _ in range(500)]
for flags in kept:
    for signal in flags:
        flags[signal] = not flags[signal]
changed = sum(set(each) != {65} for each in memory)
assert not changed, changed
del kept, flags

context = Mine(prec=3, traps=[decimal.Inexact], rounding=decimal.ROUND_UP)
context.note = 1
assert (context.prec, context.rounding, context.note, context.traps[decimal.Inexact]) == (3, "ROUND_UP", 1, True)
assert not hasattr(context, "nothing") and context.flags is context.flags
context.traps[decimal.Inexact] = False
assert str(context.divide(decimal.Decimal(1), 3)) == "0.334" and context.flags[decimal.Inexact]
context.flags = {signal: False for signal in context.flags}
context.clear_flags()
assert not any(context.flags.values()) and context.flags == decimal.Context().flags and "Inexact" in repr(context.flags)
print("worked")
"""


class NativeMemory(unittest.TestCase):
    def assert_works(self, code: str) -> None:
        host = Host()
        self.addCleanup(host.close)
        for preloaded in ([], EARLY):
            run = host.run(code, imports=MODULES, preloaded=preloaded)
            self.assertEqual(("worked\n", "completed"), (run.stdout, run.outcome), run.stderr + str(run.report))

    def test_streams_lend_no_buffer(self) -> None:
        self.assert_works(STREAMS)

    def test_arrays_convert_before_they_look(self) -> None:
        self.assert_works(ARRAYS)

    def test_flags_keep_their_context(self) -> None:
        self.assert_works(CONTEXTS)

    def test_random_states_stay_inside(self) -> None:
        self.assert_works(RANDOM)

    def test_solvers_hand_out_copies(self) -> None:
        self.assert_works(CALLBACKS)

    def test_lengths_and_dates_are_looked_at(self) -> None:
        self.assert_works(REST)
