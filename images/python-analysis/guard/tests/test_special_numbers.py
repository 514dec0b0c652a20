"""Spheroidal and Mathieu functions get parameters for which their native code has room."""

from __future__ import annotations

import unittest

from tests.host import IMPORTS, Host

MODULES = [*IMPORTS, "scipy.special"]

CODE = """
import numpy as np
from scipy import special

def refused(name, *args):
    try:
        getattr(special, name)(*args)
    except ValueError as error:
        assert "room" in str(error) or "sequence" in str(error), error
        return
    raise AssertionError((name, args))

bad = 1e5, -20.0, float("nan"), float("inf")
for c in bad:
    for kind in ("pro", "obl"):
        refused(f"{kind}_cv_seq", 0, 3, c)
        refused(f"{kind}_cv", 0, 1, c)
        for name in ("ang1", "rad1", "rad2"):
            refused(f"{kind}_{name}", 0, 1, c, 1.5)
            refused(f"{kind}_{name}_cv", 0, 1, c, 1.5, 2.5)
for kind in ("pro", "obl"):
    refused(f"{kind}_cv_seq", 1, 0, 0.5)
    refused(f"{kind}_cv_seq", -1, 3, 0.5)
    refused(f"{kind}_ang1", 178, 178, 1.0, 0.5)
for q in (1e9, float("nan")):
    for name in ("cem", "sem", "modcem1", "modcem2", "modsem1", "modsem2"):
        refused(f"mathieu_{name}", 3, q, 2.0)

for count in range(12):
    values = special.pro_cv_seq(1, 1 + count, 2.5)
    single = special.pro_cv(1, np.arange(1, 2 + count), 2.5)
    assert len(values) == count + 1 and np.allclose(values, single), (count, values, single)
assert abs(special.pro_cv(0, 0, 1.0) - 0.319) < 1e-3 and abs(special.obl_cv(0, 1, 1.0) - 1.393) < 1e-3
out = np.zeros(3)
assert special.pro_cv(np.zeros(3), np.arange(3), 1.0, out=out) is out and out.all()
assert np.isnan(special.pro_cv(2, 1, 1.0)) and np.isnan(special.pro_cv(2, 1, 1e9))
value, slope = special.pro_ang1(0, 1, 3.0, np.linspace(-0.9, 0.9, 5))
assert value.shape == slope.shape == (5,) and np.allclose(value, -value[::-1])
assert special.mathieu_a(2, 5.0).dtype == np.float64 and len(special.mathieu_cem(2, 5.0, 30.0)) == 2
assert special.mathieu_even_coef(2, 5.0).size and special.mathieu_a.__name__ == "mathieu_a"
print("worked")
"""


class SpecialNumbers(unittest.TestCase):
    def test_parameters_have_room(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        for preloaded in ([], [{"name": "early", "module": "scipy.special"}]):
            run = host.run(CODE, imports=MODULES, preloaded=preloaded)
            self.assertEqual(("worked\n", "completed"), (run.stdout, run.outcome), run.stderr + str(run.report))
