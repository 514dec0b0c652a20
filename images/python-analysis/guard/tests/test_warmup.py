"""What is loaded before the lock: what scripts need of native code, and no more."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
import unittest

from hotcell_guard.confining import _warmup
from tests import preparing
from tests.host import IMPORTS, SOURCE, STAGE_2, Host

LATE_LOADERS = {
    "a plot of a table that was preloaded": "visits.plot(x='a', y='b')",
    "a part of matplotlib that nothing has imported": "import matplotlib\nmatplotlib.figure.Figure().text(0, 0, '$x$')",
    "a histogram without an import of matplotlib": "import pandas as pd\npd.Series([1, 2]).hist()",
    "a density": "import pandas as pd\npd.Series([1.0, 2, 4]).plot.kde()",
    "a rank correlation": "visits.corr(method='kendall')",
    "a cubic interpolation": "visits.a.interpolate(method='cubic')",
    "a weighted window": "visits.a.rolling(2, win_type='hamming').mean()",
    "a submodule by attribute": "import scipy\nscipy.stats.norm.cdf(0.0)",
    "a submodule from its package": "from scipy import optimize\noptimize.brentq(lambda x: x - 1, 0, 3)",
    "a search on a grid": "from scipy import optimize\noptimize.brute(lambda x: x[0] ** 2, ((-1, 1),))",
    "a search by rectangles": "from scipy import optimize\noptimize.direct(lambda x: x[0] ** 2, ((-1, 1),))",
    "numpy's generators": "import numpy as np\nnp.random.default_rng(1).normal()",
    "numpy's archives": "import numpy as np\nnp.savez_compressed(OUTPUT / 'a.npz', a=np.ones(3)); np.load(OUTPUT / 'a.npz')['a']",
    "numpy's mapped files": "import numpy as np\nnp.memmap(OUTPUT / 'm', mode='w+', shape=10).flush()",
    "a trend line of plotly": "import plotly.express as px\npx.scatter(x=[1, 2, 3], y=[1, 2, 4], trendline='ols').to_dict()",
    "a figure of plotly": "import plotly.graph_objects as go\ngo.Figure(go.Scatter(x=[1], y=[1])).to_json()",
    "every format of a figure": (
        "import io, matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.title('$x$')\n"
        "for kind in ('png', 'svg', 'pdf', 'jpg', 'webp', 'tiff', 'ps', 'eps', 'svgz', 'raw'):\n"
        "    plt.savefig(io.BytesIO(), format=kind)\nplt.close()"
    ),
    "a name that tells the format": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.savefig(str(OUTPUT) + '/a' + '.pdf')",
    "a contour over triangles": (
        "import matplotlib.pyplot as plt\nplt.tricontour([0, 1, 0, 1.0], [0, 0, 1, 1.1], [1, 2, 3, 4.0]); plt.close()"
    ),
    "a spectrum": "import matplotlib.pyplot as plt\nplt.specgram(list(range(300))); plt.close()",
    "a quantile plot": "import statsmodels.api as sm, numpy as np\nsm.qqplot(np.arange(20.0))",
    "a table in an Asian encoding": "open(OUTPUT / 'a.csv', 'w', encoding='shift_jis').write('あ,b')",
    "a compressed table": "import pandas as pd\npd.DataFrame({'a': [1]}).to_csv(OUTPUT / 'a.csv.xz')",
    "a time zone": "import pandas as pd\nstr(pd.date_range('2020-01-01', periods=3, tz='Europe/Zurich'))",
    "a parsed date": "import datetime\ndatetime.datetime.strptime('2020-01-02', '%Y-%m-%d').year",
    "a thread pool": "from concurrent.futures import ThreadPoolExecutor\nlist(ThreadPoolExecutor(2).map(abs, [1]))",
}


class Needs(unittest.TestCase):
    def test_reads_modules_and_words(self) -> None:
        script = "import a.b as c\nfrom d import e\nx.plot(kind='kde', path='out/f.pdf')\n'" + "z" * 100 + "'"
        found = _warmup.needs(ast.parse(script))
        self.assertEqual(found.modules, {"a.b", "d", "d.e"})
        self.assertLessEqual({"plot", "kind", "kde", "pdf", "x", "e"}, found.words)
        self.assertNotIn("z" * 100, found.words)

    def test_every_module_that_loads_late_is_in_the_image(self) -> None:
        for late in _warmup.LATE:
            for name in (late.package, *late.modules):
                with self.subTest(name):
                    self.assertIsNotNone(importlib.util.find_spec(name))

    def test_a_script_without_packages_loads_none(self) -> None:
        code = (
            "import ast, sys\nfrom hotcell_guard.confining import _warmup\nneeds = _warmup.needs(ast.parse('import math'))\n"
            "_warmup.warm(needs.modules, needs.words)\n"
            "print({'numpy', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules))"
        )
        done = subprocess.run(
            [sys.executable, "-sBP", "-c", code], capture_output=True, env={"PYTHONPATH": str(SOURCE)}, check=True
        )
        self.assertEqual(done.stdout, b"set()\n")

    def test_what_cannot_be_imported_is_left_to_the_script(self) -> None:
        _warmup.warm(["no_such_module", "antigravity.nothing"], frozenset())


@unittest.skipIf(not STAGE_2, "")
class UnderTheLock(unittest.TestCase):
    def test_late_loaders_run(self) -> None:
        for name, code in LATE_LOADERS.items():
            with self.subTest(name):
                host = Host()
                try:
                    (host.bundle / "visits.csv").write_text("a,b\n1.0,2\n2.0,4\n4.0,3\n7.0,9\n")
                    run = host.run(
                        code + "\nNone\n",
                        imports=[*IMPORTS, "numpy.random"],
                        tables=[preparing.of_csv(host.bundle, "visits.csv")],
                    )
                finally:
                    host.close()
                self.assertEqual((run.outcome, run.error), ("completed", ""))


if __name__ == "__main__":
    unittest.main()
