"""What an analysis of a study does: tables, models, figures, files and threads.

Run by runtimes_test.go inside a container, as `python3 -`.
"""

import base64
import ctypes
import io
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import plotly.express as px
import scipy.optimize
import scipy.stats
import statsmodels.api as sm
import statsmodels.formula.api as smf

from concurrent.futures import ThreadPoolExecutor


def filters():
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    assert status["Seccomp"].strip() == "2", status["Seccomp"]
    return int(status["Seccomp_filters"])


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


# Native code that is loaded late comes first; then stage 2, as the guard loads it.
import _posixsubprocess  # noqa: E402,F401  the module of subprocess is there
import _socket  # noqa: E402
import mmap  # noqa: E402

for suffix in ("png", "svg", "pdf"):
    plt.figure().savefig(io.BytesIO(), format=suffix)
assert filters() == 1
libc, program = ctypes.CDLL(None), base64.b64decode(os.environ["STAGE_2"])
number = {"x86_64": 317, "aarch64": 277}[os.uname().machine]
assert libc.prctl(4, 0, 0, 0, 0) == 0
os.chdir("/output")
assert libc.syscall(number, 1, 1, ctypes.byref(Program(len(program) // 8, program))) == 0
assert filters() == 2

rng = np.random.default_rng(1)
table = pd.DataFrame({
    "g": rng.choice(list("ABC"), 1000),
    "x": rng.normal(size=1000),
    "y": rng.normal(size=1000),
    "d": pd.date_range("2020-01-01", periods=1000, tz="Europe/Zurich").strftime("%Y-%m-%d"),
})
table.to_csv("t.csv", index=False)
table = pd.read_csv("t.csv", parse_dates=["d"])
grouped = table.groupby("g").agg({"x": ["mean", "std"], "y": "median"})

smf.ols("y ~ x + C(g)", data=table).fit()
sm.Logit((table.y > table.y.median()).astype(int), sm.add_constant(table[["x"]])).fit(disp=0)
scipy.stats.ttest_ind(table.x, table.y)
scipy.optimize.minimize(lambda v: (v[0] - 3) ** 2, [0.0])
np.linalg.svd(rng.normal(size=(600, 600)))
square = rng.normal(size=(2000, 2000))  # large enough for the threads of OpenBLAS
square @ square

figure, axes = plt.subplots(2, 1)
table.plot.scatter("x", "y", ax=axes[0])
table.x.hist(ax=axes[1])
figure.suptitle(r"$\alpha$ ü")
for suffix in ("png", "svg", "pdf"):
    figure.savefig(f"figure.{suffix}")
px.scatter(table, x="x", y="y").write_html("figure.html", include_plotlyjs=False)
grouped.to_csv("g.csv")
table.to_json("t.json")
np.savez_compressed("a.npz", a=table.x.values)
mapped = np.memmap("a.map", dtype="float64", mode="w+", shape=(1000,))
mapped[:] = table.x.values
mapped.flush()
pd.read_csv(io.StringIO("a,b\n1,2\n"))

with ThreadPoolExecutor(4) as pool:
    assert list(pool.map(lambda n: n + 1, range(8))) == list(range(1, 9))


def refused(attempt, *arguments):
    try:
        attempt(*arguments)
    except PermissionError:
        return
    raise AssertionError(f"{attempt} was not refused")


refused(_socket.socket)
refused(os.fork)
refused(os.symlink, "t.csv", "link")
refused(os.chmod, "t.csv", 0o4755)
refused(os.memfd_create, "code")
refused(os.execv, "/usr/bin/python3", ["python3"])
refused(lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC))
refused(lambda: open("/proc/self/mem", "r+b"))

print("workload done", len(os.listdir(".")))
