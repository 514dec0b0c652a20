"""What a refusal advises instead of a module is there, and works."""

from __future__ import annotations

import re
import unittest

from hotcell_guard.granting import _shown
from hotcell_guard.vetting import _modules
from tests.benign import policy
from tests.host import Host


class Advice(unittest.TestCase):
    def test_no_package_stands_for_its_submodule(self) -> None:
        imports = policy.imports("study-analysis")
        for name, advice in (
            ("matplotlib.anmation", "write 'import matplotlib.animation'"),
            ("matplotlib.backends.backend_tkagg", "plt.savefig"),
            ("mpl_toolkits.basemap", "this module of mpl_toolkits cannot be imported"),
            ("statsmodels.datasets.longley.data", "write 'import statsmodels.datasets.longley'"),
            ("statsmodels.tsa.arima_models", "write 'import statsmodels.tsa.arima_model'"),
            ("scipy.io.matlab.mio", "from scipy.io import loadmat"),
            ("pylab", "import matplotlib.pyplot as plt"),
            ("pandas.core.algorithms", "what pandas documents is in pd"),
        ):
            with self.subTest(name):
                said = _modules.moved(name, imports) or _modules.instead_of_module(name, imports)
                self.assertIn(advice, said or "")

    def test_what_needs_a_module_is_said_where_that_is_listed(self) -> None:
        self.assertIsNone(_modules.moved("pylab", ["numpy"]))
        self.assertIsNone(_modules.instead_of_module("zzz", ["numpy", "math"]))
        self.assertEqual(_modules.instead_of_module("numpy.linalg", ["numpy"]), "write 'import numpy as np' and use np.linalg")

    def test_each_statement_that_is_advised_is_allowed(self) -> None:
        imports = policy.imports("study-analysis")
        words = [_modules.moved(name, imports) or "" for name in _modules.MOVED]
        self.assertNotIn("", words)
        statements = {each for said in words for each in re.findall(r"'((?:import|from) [^']*)'", said)}
        self.assertGreater(len(statements), 10)
        self._run("\n".join(sorted(statements)), imports)

    def test_each_attribute_that_is_advised_is_there(self) -> None:
        for package, (alias, names) in _modules.FACETS.items():
            with self.subTest(package):
                self.assertLessEqual({*names.split()}, _shown.FACETS[package])
                self._run(f"import {package} as {alias}\n" + "\n".join(f"{alias}.{name}" for name in names.split()), [package])

    def _run(self, code: str, imports: list[str]) -> None:
        host = Host()
        self.addCleanup(host.close)
        run = host.run(code + "\nNone", imports=imports)
        self.assertEqual((run.outcome, run.error, run.report["violations"]), ("completed", "", []))


if __name__ == "__main__":
    unittest.main()
