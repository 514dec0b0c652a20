"""What library code writes to a class in place of an object does not arrive."""

from __future__ import annotations

import importlib
import subprocess
import sys
import unittest
from unittest import mock

from hotcell_guard.confining import _immutable
from tests.host import SOURCE, Host

WALK = """
import pandas, scipy.stats, matplotlib.pyplot, statsmodels.api, plotly.express, pydantic
from hotcell_guard.confining import _immutable
_immutable.seal_classes()
class Own(pandas.DataFrame):
    pass
Own.mine = 1
left = _immutable._classes() - _immutable._written() - {Own}
print(len(left) > 3000, [each for each in left if not each.__flags__ & 1 << 8])
"""

WRITES = {
    "a setter called with a class": """
import matplotlib.pyplot as plt, pandas as pd
artist = plt.gca().patch
type(artist).set_clip_on(pd.DataFrame, False)
print("WRITTEN")
""",
    "a setter called with a class of its own library": """
import matplotlib.pyplot as plt
figure = plt.figure()
type(figure).set_dpi(type(plt.gca()), 3)
print("WRITTEN")
""",
}


class Immutable(unittest.TestCase):
    def test_all_classes_but_the_scripts_and_those_listed(self) -> None:
        done = subprocess.run(
            [sys.executable, "-sBP", "-c", WALK],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(SOURCE), "MPLCONFIGDIR": "/tmp"},
        )
        self.assertEqual("True []\n", done.stdout)

    def test_writes_by_libraries(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        for name, code in WRITES.items():
            with self.subTest(name):
                run = host.run(code)
                self.assertNotIn("WRITTEN", run.stdout)
                self.assertEqual("raised", run.outcome, run.report)
                self.assertIn("immutable type", run.error)

    def test_another_layout_is_refused(self) -> None:
        with mock.patch.object(_immutable, "_AT", 160), self.assertRaisesRegex(RuntimeError, "layout"):
            _immutable.seal_classes()

    def test_the_classes_that_stay_are_in_the_image(self) -> None:
        for module, names in _immutable._WRITTEN.items():
            for name in names.split():
                self.assertIsInstance(getattr(importlib.import_module(module), name), type)


if __name__ == "__main__":
    unittest.main()
