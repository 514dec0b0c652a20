"""Native code that opens files or takes descriptors: what goes on working, and what is refused."""

from __future__ import annotations

import unittest

from hotcell_guard.libraries import _native_files
from tests.host import IMPORTS, Host

WORKING = """
import io
import matplotlib.pyplot as plt
import numpy as np
from scipy import odr, optimize, spatial

points, x = np.random.default_rng(0).random((10, 2)), np.arange(10.0)
assert spatial.ConvexHull(points, qhull_options="QJ").area > 0 and spatial.Delaunay(points).npoints == 10
assert spatial.Voronoi(points, False, False, "Qbb Qc Qz").npoints == 10
assert spatial.HalfspaceIntersection(np.array([[-1.0, 0, 0], [0, -1, 0], [1, 1, -1]]), np.array([0.2, 0.2])).ndim == 2

rows = optimize.LinearConstraint([[1, 1]], 0, 3)
assert optimize.milp([-1, -1], constraints=rows, integrality=1, options={"time_limit": 9.0}).fun == -3
assert optimize.linprog([1, 1]).fun == 0

fit = odr.ODR(odr.RealData(x, 2 * x + 1), odr.Model(lambda b, x: b[0] * x + b[1]), [1.0, 0.0], rptfile="fit.txt", iprint=1)
assert np.allclose(fit.run().beta, [2, 1]) and (OUTPUT / "fit.txt").stat().st_size > 99

figure = plt.figure(figsize=(1, 1))
for kind in ("png", "jpg", "tiff", "webp"):
    stream = io.BytesIO()
    figure.savefig(stream, format=kind)
    figure.savefig(f"x.{kind}")
    with open(f"y.{kind}", "wb") as file:
        figure.savefig(file, format=kind)
    sources = io.BytesIO(stream.getvalue()), f"x.{kind}", open(f"y.{kind}", "rb")
    assert {plt.imread(each, format=kind).shape[:2] for each in sources} == {(100, 100)}, kind
figure.savefig("y.tiff", pil_kwargs={"compression": "tiff_lzw"})
assert plt.imread("y.tiff").shape == (100, 100, 4)

# Fonts as TrueType, which journals ask for: they are written anew with the letters that are used.
plt.rcParams["pdf.fonttype"] = plt.rcParams["ps.fonttype"] = 42
figure.suptitle("µ ± σ")
for kind in ("pdf", "ps"):
    stream = io.BytesIO()
    figure.savefig(stream, format=kind)
    assert len(stream.getvalue()) > 4_000, kind
print("worked")
"""

REFUSED = """
import numpy as np
from scipy.odr import odr
from scipy.optimize import milp
from scipy.spatial import ConvexHull, Delaunay, Voronoi

class Lying(str):
    __hash__ = str.__hash__
    def __contains__(self, text):
        return False

points, x = np.random.default_rng(0).random((10, 2)), np.arange(10.0)
for call, reason in (
    (lambda: ConvexHull(points, qhull_options="Qw TI x"), "TI and TO"),
    (lambda: Delaunay(points, False, False, "TsO x"), "TI and TO"),
    (lambda: Voronoi(points, qhull_options=b"TI x"), "TI and TO"),
    (lambda: milp([1], options={"log_file": "x"}), "opens a file"),
    (lambda: milp([1], options={Lying("solution_file"): "x"}), "opens a file"),
    (lambda: odr(lambda b, x: x, [1.0], x, x, rptfile="/usr/x"), "may not be written"),
    (lambda: odr(lambda b, x: x, [1.0], x, x, errfile="../x"), "may not be written"),
    (lambda: odr(*[None] * 14), "after iprint"),
):
    try:
        call()
    except Exception as error:
        assert reason in str(error), error
    else:
        raise AssertionError(reason)
print("refused")
"""

FONTS = """
import matplotlib.pyplot as plt
from matplotlib import font_manager

class Stream:
    def seek(self, *place):
        return 0

    def close(self):
        pass

    def read(self, *size):
        assert not size, "FreeType copies what read returns, as long as it is"
        return bytes(4_000_000)

path = font_manager.findfont("DejaVu Sans")
font = font_manager.get_font(path)
assert type(font)(path).family_name == "DejaVu Sans"
try:
    type(font)(Stream())
except RuntimeError as error:
    assert "unknown file format" in str(error), error
plt.title("$x^2$")
for kind in ("png", "pdf", "svg"):
    plt.savefig(f"x.{kind}")
print("read whole")
"""

OPENERS = """
with open("x", "wb") as file:
    raw = type(file.raw)

class Inherited(raw):
    pass

for kind in (raw, Inherited):
    for number, reason in ((2, "cannot be opened"), (20, "cannot be opened"), (True, "number of a descriptor"), ("x", "number of a")):
        try:
            kind("x", "w", opener=lambda path, flags: number)
        except (OSError, TypeError) as error:
            assert reason in str(error), error
        else:
            raise AssertionError(number)
    kind("x", "w").write(b"written")
    assert kind("x").read() == b"written"
with open("x") as file:
    assert file.read() == "written"
print("asked")
"""

CERTIFICATES = """
import requests
adapter = requests.Session().adapters["https://"]
pool = adapter.get_connection_with_tls_context(requests.Request("GET", "https://localhost/").prepare(), True)
context = pool.conn_kw["ssl_context"]
for call in (
    lambda: context.load_verify_locations("/etc/passwd"),
    lambda: context.load_cert_chain("/etc/passwd"),
    lambda: context.load_dh_params("/etc/passwd"),
    lambda: context.set_default_verify_paths(),
    lambda: type(context).load_verify_locations(context, "/etc/passwd"),
    lambda: setattr(context, "keylog_filename", str(DATA / "keys")),
):
    try:
        call()
    except PermissionError:
        continue
    raise AssertionError
try:
    requests.get("https://localhost/")
except requests.exceptions.ConnectionError:
    print("no network")
"""


class NativeFiles(unittest.TestCase):
    def setUp(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        self.run_script = lambda code: host.run(code, imports=[*IMPORTS, "scipy.odr", "scipy.spatial"])

    def test_what_opens_no_file_of_its_own_goes_on_working(self) -> None:
        run = self.run_script(WORKING)
        self.assertEqual((run.stdout, run.error), ("worked\n", ""), run.stderr)

    def test_what_would_open_a_file_is_refused(self) -> None:
        run = self.run_script(REFUSED)
        self.assertEqual((run.stdout, run.error), ("refused\n", ""), run.stderr)

    def test_a_font_is_read_as_a_whole(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(FONTS, imports=[*IMPORTS, "matplotlib.font_manager"])
        self.assertEqual((run.stdout, run.error), ("read whole\n", ""), run.stderr)

    def test_an_opener_is_asked(self) -> None:
        run = self.run_script(OPENERS)
        self.assertEqual((run.stdout, run.error), ("asked\n", ""), run.stderr)

    def test_openssl_reads_no_files(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(CERTIFICATES, imports=[*IMPORTS, "requests"])
        self.assertEqual((run.stdout, run.error), ("no network\n", ""), run.stderr)

    def test_a_stream_has_no_descriptor(self) -> None:
        with open(__file__, "rb") as file:
            stream = _native_files._Stream(file)
            self.assertFalse(hasattr(stream, "fileno"))
            self.assertEqual(stream.read(3), b'"""')
