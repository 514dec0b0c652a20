"""What scripts of statistics reach for by convention: private by an underscore only, or another package's tool."""

from __future__ import annotations

import unittest

from tests.host import run_once

IMPORTS = (
    "joblib json numpy pandas platform plotly.express plotly.graph_objects scipy.stats seaborn sklearn.base sklearn.linear_model "
    "sklearn.utils sklearn.utils.validation statsmodels.api statsmodels.tsa.statespace.mlemodel statsmodels.multivariate.multivariate_ols warnings"
).split()

WORK = {
    "calls one after the other": (
        "from joblib import Parallel, delayed, parallel_config, cpu_count\n"
        "with parallel_config(backend='loky'), Parallel(n_jobs=-1) as run:\n"
        "    result = [run(delayed(pow)(n, 2, mod=7) for n in range(4)), cpu_count(),\n"
        "              list(Parallel(2, return_as='generator')([delayed(sum)([1, 2])]))]",
        [[0, 1, 4, 2], 1, [3]],
    ),
    "texts for notebooks": (
        "import pandas as pd\nclass Report:\n    def _repr_html_(self): return '<b>'\n"
        "class Table(pd.DataFrame):\n    def _repr_html_(self): return 'own'\n"
        "from sklearn.linear_model import LinearRegression\n"
        "result = [Report()._repr_html_(), Table()._repr_html_(), '<table' in pd.DataFrame([1])._repr_html_(),\n"
        "          len(LinearRegression()._repr_html_()) > 100, hasattr(1, '_repr_html_')]",
        ["<b>", "own", True, True, False],
    ),
    "a table's numbers": (
        "import pandas as pd\nresult = pd.DataFrame({'a': [1], 'b': ['x']})._get_numeric_data().columns.tolist()",
        ["a"],
    ),
    "a distribution calls what it overrides": (
        "from scipy.stats import rv_continuous\nclass gen(rv_continuous):\n    def _pdf(self, x, a): return a * x ** (a - 1)\n"
        "    def _cdf(self, x, a): return x ** a\n    def _fitstart(self, data, args=None): return super()._fitstart(data, args=(2.,))\n"
        "    def _stats(self, a): return super()._stats(a)\n    def _munp(self, n, a): return super()._munp(n, a)\n"
        "d = gen(a=0, b=1, name='power')\nresult = [round(d.fit([.5, .6, .9], floc=0, fscale=1)[0], 1), round(float(d.mean(2.)), 3)]",
        [2.3, 0.667],
    ),
    "names of estimators' tools": (
        "from sklearn.utils.validation import _num_samples, _check_sample_weight, _check_feature_names_in\n"
        "from sklearn.utils import _safe_indexing\nfrom sklearn.base import BaseEstimator, _fit_context\n"
        "class E(BaseEstimator):\n    _parameter_constraints = {'k': [int]}\n    def __init__(self, k=1): self.k = k\n"
        "    @_fit_context(prefer_skip_nested_validation=True)\n    def fit(self, X, y=None):\n"
        "        self.n_features_in_ = 2\n        return self\n"
        "result = [_num_samples([1, 2]), _check_sample_weight(None, [[1], [2]]).tolist(), _safe_indexing([5, 6, 7], [0, 2]),\n"
        "          _check_feature_names_in(E().fit([[1]])).tolist()]",
        [2, [1.0, 1.0], [5, 7], ["x0", "x1"]],
    ),
    "a model with no public name": (
        "import numpy as np\nfrom statsmodels.multivariate.multivariate_ols import _MultivariateOLS\n"
        "x = np.arange(8.0)\nresult = list(_MultivariateOLS(np.c_[x, x**2], x[:, None]).fit().mv_test().results)",
        ["x0"],
    ),
    "a table in LaTeX": (
        "import pandas as pd\nresult = pd.DataFrame({'a': [1]}).to_latex(index=False).split()[0]",
        "\\begin{tabular}{r}",
    ),
    "which system": ("import platform\nresult = platform.system()", "Linux"),
    "a state-space model's results": (
        "import numpy as np, statsmodels.api as sm\nfrom statsmodels.tsa.statespace.mlemodel import MLEResults, MLEResultsWrapper\n"
        "class R(MLEResults):\n    share = 0.5\n"
        "class M(sm.tsa.statespace.MLEModel):\n    start_params = [1.0]\n    param_names = ['s']\n"
        "    _res_classes = {'fit': (R, MLEResultsWrapper)}\n"
        "    def __init__(self, y):\n        super().__init__(y, k_states=1, initialization='approximate_diffuse')\n"
        "        for each in ('design', 'transition', 'selection', 'obs_cov'): self[each, 0, 0] = 1\n"
        "    def update(self, params, **kwargs):\n        params = super().update(params, **kwargs)\n"
        "        self['state_cov', 0, 0] = params[0]\n"
        "r = M(np.arange(9.0)).smooth([1.0])\nresult = r.share",
        0.5,
    ),
}

REFUSED = {
    "no names of the calls' frame": ("import joblib\njoblib.Parallel()([(locals, (), {})])", "only the script itself can ask"),
    "no pickles": ("import joblib\njoblib.dump([1], 'a')", "dump"),
    "no results in files": ("from joblib import Memory", "Memory"),
    "plotly sets what it is told for notebooks": (
        "import plotly.graph_objects as go\ngo.Figure()._repr_mimebundle_(**{'__class__': int})",
        "_repr_mimebundle_",
    ),
    "no other private name": ("from sklearn.utils.validation import _get_feature_names", "is private"),
    "not of another module": ("from sklearn.linear_model import _num_samples", "is private"),
    "an heir gives pandas no numbers of its own": (
        "import pandas as pd\nclass T(pd.DataFrame):\n    def _get_numeric_data(self): return self",
        "private to a base class",
    ),
}

WARNS = (
    "import warnings, plotly.graph_objects as go, pandas as pd\npd.options.plotting.backend = 'plotly'\n"
    "pd.Series([1]).plot()\nimport numpy as np\nnp.log(np.zeros(1))\nwarnings.warn('late')"
)


class Conventions(unittest.TestCase):
    """What works, and what is behind none of it."""

    def test_they_work(self) -> None:
        for title, (code, result) in WORK.items():
            with self.subTest(title):
                run = run_once(self, code, imports=IMPORTS)
                self.assertEqual((run.outcome, run.error, run.report.get("result")), ("completed", "", result), run.report)

    def test_they_lend_nothing(self) -> None:
        for title, (code, said) in REFUSED.items():
            with self.subTest(title):
                run = run_once(self, code, imports=IMPORTS)
                self.assertIn(run.outcome, ("raised", "rejected"), run.report)
                self.assertIn(said, f"{run.error} {run.report['violations']}")

    def test_warnings_look_as_pythons_do(self) -> None:
        run = run_once(self, WARNS, imports=IMPORTS)
        self.assertEqual(run.outcome, "completed", run.report)
        self.assertIn("UserWarning: late\n  warnings.warn('late')", run.stderr)
        self.assertNotIn("Warning:\n", run.stderr)


if __name__ == "__main__":
    unittest.main()
