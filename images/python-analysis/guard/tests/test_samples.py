"""matplotlib's sample data by name, a module's names by vars, a formula's own scope by Q."""

from __future__ import annotations

import unittest

from tests.host import Host

SAMPLES = """
import matplotlib.cbook as cbook
import numpy as np
import matplotlib.pyplot as plt

class Twice(str):
    def __str__(self): return "../../../../proc/cpuinfo"

with cbook.get_sample_data("grace_hopper.jpg") as file:
    assert plt.imread(file, format="jpg").shape == (600, 512, 3)
assert cbook.get_sample_data("jacksboro_fault_dem.npz")["elevation"].ndim == 2
assert cbook.get_sample_data("axes_grid/bivariate_normal.npy").shape == (15, 15)
assert cbook.get_sample_data("msft.csv").readline().startswith("Date")
assert np.genfromtxt(cbook.get_sample_data("msft.csv", asfileobj=False), delimiter=",").ndim == 2
assert len(cbook.get_sample_data("s1045.ima.gz").read()) == 256 * 256 * 2
assert cbook.get_sample_data(Twice("logo2.png")).read(4) == b"\\x89PNG"

for name in ("../matplotlibrc", "/etc/passwd", "/proc/self/maps", "..", "", "x/../../fonts/ttf/DejaVuSans.ttf", b"logo2.png", 0, "logo2.png\\0"):
    for asfileobj in (True, False):
        try:
            print("opened", name, cbook.get_sample_data(name, asfileobj))
        except (PermissionError, TypeError, ValueError):
            pass
try:
    open(cbook.get_sample_data("logo2.png", asfileobj=False))
except PermissionError:
    pass
print("done")
"""

NAMES = """
import math, matplotlib, threading
import matplotlib.pyplot as plt

held = vars(math)
assert held["sqrt"](16) == 4 and math.__dict__["pi"] == math.pi
held["pi"] = 3
assert math.pi > 3.1 and vars(math)["pi"] > 3.1
kind = type(math)
for module in (math, matplotlib, plt, threading):
    assert not any(type(value) is kind or name.startswith("_") for name, value in vars(module).items()), module
try:
    vars(math)["__loader__"]
except KeyError:
    pass
main = threading.current_thread()
assert main is threading.main_thread() and main.name == "MainThread"
for name in ("_target", "_handle", "_bootstrap"):
    try:
        print("given", getattr(main, name))
    except AttributeError:
        pass
print("done")
"""

FORMULAS = """
import numpy as np
import pandas as pd
import patsy
import statsmodels.formula.api as smf

table = pd.DataFrame({"weight in kg": [1.0, 2.0, 3.0, 5.0], "class": list("abab"), "y": [1.0, 2.0, 2.5, 4.0]})
fitted = smf.ols("y ~ Q('weight in kg') + C(Q('class'))", table).fit()
assert [*fitted.params.index] == ["Intercept", "C(Q('class'))[T.b]", "Q('weight in kg')"], fitted.params
assert fitted.predict(table.head(1)).shape == (1,)

def inner(column):
    return np.asarray(patsy.dmatrix("Q('other one') - 1", {"other one": column})).ravel()
assert patsy.dmatrix("inner(Q('weight in kg')) - 1", table)[3, 0] == 5.0

for name in ("__builtins__", "__name__", "nothing like it"):
    try:
        patsy.dmatrix(f"Q('{name}')", table)
    except patsy.PatsyError as error:
        assert "no data named" in str(error), error
    else:
        print("given", name)
print("done")
"""


class SamplesTest(unittest.TestCase):
    def check(self, source: str, *imports: str) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(source, imports=[*imports])
        self.assertEqual((run.outcome, run.stdout), ("completed", "done\n"), run.stderr or run.report)

    def test_sample_data_are_read_by_name_and_nothing_else_is(self) -> None:
        self.check(SAMPLES, "numpy", "matplotlib.cbook", "matplotlib.pyplot")

    def test_vars_of_a_module_is_a_copy_of_what_can_be_read_of_it(self) -> None:
        self.check(NAMES, "math", "threading", "matplotlib", "matplotlib.pyplot")

    def test_a_formula_quotes_the_names_of_its_data_and_no_others(self) -> None:
        self.check(FORMULAS, "numpy", "pandas", "patsy", "statsmodels.formula.api")
