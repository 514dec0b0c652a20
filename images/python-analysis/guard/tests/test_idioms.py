"""What analysts write every day runs as without a guard, and what cannot run is
refused in one sentence that says what to write instead."""

from __future__ import annotations

import unittest
from typing import Any

from hotcell_guard.vetting import _advice
from tests import preparing
from tests.host import IMPORTS, Host, Run

CSV = {"name": "visits", "path": ".tables/visits.table"}
HEADER = "import numpy as np, pandas as pd\n"
MADE = HEADER + (
    "rng = np.random.default_rng(0)\nn = 120\n"
    "df = pd.DataFrame({'a': rng.normal(size=n), 'b': rng.integers(0, 4, n), 'c': rng.choice(list('xyz'), n),\n"
    "    's': rng.choice(['Foo Bar', None], n), 'd': pd.date_range('2020-01-01', periods=n), 'y': rng.gamma(2, 1, n)})\n"
)
COPY_WARNING = "A value is trying to be set on a copy of a slice from a DataFrame"

# Each runs after MADE and must complete; what it warns about is pandas' affair.
IDIOMS = {
    "the class of a dtype's class": (
        "import numpy as np\nkind = type(np.dtypes.Float64DType)\nresult = isinstance(np.dtypes.Float64DType, kind)"
    ),
    "what notebooks show": (
        "import matplotlib.pyplot as plt\n"
        "class Table(pd.DataFrame):\n    def _repr_html_(self): return 'own'\n"
        "class Picture:\n    def _repr_png_(self): return b'png'\n    def _repr_latex_(self): return 'x'\n"
        "assert '<table' in df.head()._repr_html_() and '<style' in df.head().style._repr_html_()\n"
        "assert Table(df)._repr_html_() == 'own' and Picture()._repr_png_() == b'png'\n"
        "assert plt.get_cmap('viridis')._repr_png_()[:4] == b'\\x89PNG' and np.polynomial.Polynomial([1, 2])._repr_latex_()[0] == '$'\n"
        "try:\n    df._repr_html_ = len\nexcept AttributeError:\n    pass\nelse:\n    raise AssertionError('set')"
    ),
    "reshapes": (
        "df.merge(pd.DataFrame({'c': ['x'], 'z': [1]}), how='left', indicator=True)['_merge']\n"
        "df.pivot_table(index='c', columns='b', values='a', aggfunc=['mean', 'count'], margins=True)\n"
        "pd.crosstab(df.c, df.b, normalize='index')\ndf.melt(id_vars='c', value_vars=['a', 'y'])\n"
        "df.groupby(['c', 'b']).a.mean().unstack().stack(future_stack=True)\n"
        "pd.get_dummies(df, columns=['c'], drop_first=True)\npd.cut(df.y, [0, 1, 2, 99], labels=list('lmh'))"
    ),
    "groups and windows": (
        "df.groupby('c').a.transform('mean')\ndf.groupby('c')[['a']].apply(lambda g: g.a.mean())\n"
        "df.groupby('c').agg(m=('a', 'mean'), q=('y', lambda s: s.quantile(0.9)))\ndf.apply(lambda r: r.a + r.b, axis=1)\n"
        "df.set_index('d').a.rolling('7D').mean()\ndf.a.rolling(5).apply(np.mean, raw=True)\n"
        "df.set_index('d').resample('ME').agg({'a': 'mean'})\ndf.a.ewm(span=3).mean()"
    ),
    "texts and dates": (
        "df.s.str.upper().str.split(' ', expand=True)\ndf.s.str.extract(r'(\\w+) (\\w+)')\n"
        "pd.to_datetime(pd.Series(['Jan 5 2020', 'x']), errors='coerce', format='mixed')\n"
        "df.d.dt.strftime('%Y-%m')\ndf.d.dt.tz_localize('America/New_York')\ndf.d + pd.DateOffset(months=1)\n"
        "df.query('b in [1, 2] and d > \"2020-02-01\" and a < @n')\ndf.eval('k = a + b')"
    ),
    "changes copies in place": (
        "sub = df[df.a > 0]\nsub.drop(columns=['b'], inplace=True)\nsub.rename(columns={'a': 'A'}, inplace=True)\n"
        "sub.sort_values('A', inplace=True)\nsub.reset_index(drop=True, inplace=True)\nsub.loc[:, 'q'] = 1\n"
        "df[df.a > 0]['b'] = 3\ndf['b'][df.a > 0] = 3\ndf['a'].fillna(0, inplace=True)"
    ),
    "models": (
        "import statsmodels.api as sm, statsmodels.formula.api as smf\ndf['o'] = (df.a + df.y > 2).astype(int)\n"
        "def z(v): return (v - v.mean()) / v.std()\n"
        "print(smf.ols('y ~ z(a) * C(c, Treatment(reference=\"z\")) + np.log(y + 1) + I(a ** 2) + bs(a, df=4)', df).fit().summary())\n"
        "print(sm.stats.anova_lm(smf.ols('y ~ C(c)', df).fit(), typ=2))\n"
        "print(smf.logit('o ~ y', df).fit(disp=0).summary(), smf.mixedlm('y ~ a', df, groups=df.c).fit().summary())\n"
        "print(smf.glm('b ~ a', df, family=sm.families.Poisson()).fit().summary())\n"
        "print(sm.SurvfuncRight(df.y, df.o).summary().head(), smf.phreg('y ~ a', df, status=df.o.values).fit().summary())"
    ),
    "tests and numerics": (
        "from scipy import stats\nfrom scipy.optimize import curve_fit, minimize\n"
        "stats.ttest_ind(df.a, df.y)\nstats.chi2_contingency(pd.crosstab(df.c, df.b))\nstats.norm.fit(df.a)\n"
        "stats.bootstrap((df.a.values,), np.mean, n_resamples=50)\n"
        "class Own(stats.rv_continuous):\n    def _pdf(self, x): return np.exp(-x)\nOwn(a=0).cdf(1)\n"
        "curve_fit(lambda x, a, b: a * x + b, [1.0, 2, 3, 4], [2.0, 4, 6, 9])\nminimize(lambda v: (v[0] - 1) ** 2, [0], method='SLSQP')\n"
        "np.vectorize(lambda x: x + 1)([1])\nwith np.errstate(divide='ignore'): np.log(0)"
    ),
    "plots": (
        "import matplotlib.pyplot as plt\nplt.style.use('ggplot')\nfig, ax = plt.subplots(2, 2, constrained_layout=True)\n"
        "ax[0, 0].hist(df.a, bins=20, density=True, label='ä')\nax[0, 0].legend()\nax[0, 1].boxplot([df.a, df.y])\n"
        "fig.colorbar(ax[1, 0].imshow(np.eye(3)))\nax[1, 1].clabel(ax[1, 1].contour(rng.normal(size=(9, 9))))\n"
        "fig, ax = plt.subplots()\nax.errorbar(df.d, df.y, yerr=0.1)\nax.twinx().plot(df.d, df.a)\nax.set_yscale('log')\n"
        "ax.annotate('$\\\\alpha^2$', (df.d[5], 1), arrowprops={'arrowstyle': '->'})\nfig.autofmt_xdate()\n"
        "df.boxplot(column='a', by='c')\ndf[['a', 'y']].plot.kde()\npd.plotting.scatter_matrix(df[['a', 'y']])"
    ),
    "plotly": (
        "import plotly.express as px, plotly.io as pio\npio.renderers.default = 'browser'\nassert pio.renderers.default == 'browser'\npx.scatter(df, x='a', y='y', color='c', trendline='ols', facet_col='b')\n"
        "px.histogram(df, x='a', marginal='box')\npx.sunburst(df, path=['c', 'b'], values='y')\npx.data.iris()\n"
        "f = px.line(df, x='d', y='a')\nf.add_hline(y=0)\nf.write_html('f.html', include_plotlyjs='cdn')"
    ),
    "warnings": (
        "import warnings\nwarnings.filterwarnings('ignore')\nwarnings.warn('seen by nobody')\nnp.log(np.array([0.0]))\n"
        "with warnings.catch_warnings(record=True) as caught:\n    warnings.simplefilter('always')\n    warnings.warn('caught')\n"
        "assert [str(w.message) for w in caught] == ['caught']\nwarnings.simplefilter('error')\n"
        "try: warnings.warn('raised')\nexcept UserWarning: pass"
    ),
}


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)
        (self.host.bundle / "visits.csv").write_text("a,b,x,z\n1,2,5,7\n-3,4,6,8\n")
        preparing.of_csv(self.host.bundle, "visits.csv")

    def completed(self, code: str, **changes: Any) -> Run:
        run = self.host.run(code, **changes)
        self.assertEqual((run.outcome, run.error, run.raw_stderr), ("completed", "", b""), run.report)
        return run

    def raised(self, code: str, **changes: Any) -> str:
        run = self.host.run(code, **changes)
        self.assertEqual((run.outcome, run.raw_stderr), ("raised", b""))
        self.assertEqual(run.report["error"]["traceback"].rpartition("\n")[2], run.error)
        return run.error


class Idioms(Case):
    def test_run_as_without_a_guard(self) -> None:
        imports = [*IMPORTS, "scipy.optimize"]
        for name, code in IDIOMS.items():
            with self.subTest(name):
                run = self.completed(MADE + code + "\nNone", imports=imports)
                self.assertNotIn("hotcell", run.stderr)

    def test_a_column_set_on_a_part_of_a_frame_warns_as_pandas_does(self) -> None:
        for code, columns in (
            ("sub = visits[visits.a > 0]; sub['new'] = 1", 5),
            ("sub = visits[['a','b']]; sub['c'] = 1", 3),
        ):
            with self.subTest(code):
                run = self.completed(f"{code}\nsub.shape[1]", tables=[CSV])
                self.assertEqual(run.report["result"], columns)
                self.assertIn("script.py:1: SettingWithCopyWarning", run.stderr)
                self.assertIn(COPY_WARNING, run.stderr)

    def test_a_copy_does_not_warn(self) -> None:
        self.assertEqual(self.completed("sub = visits[visits.a > 0].copy()\nsub['new'] = 1", tables=[CSV]).stderr, "")

    def test_each_advised_expression_works(self) -> None:
        for module, alias in {each[:2] for each in _advice.REACHABLE.values()}:
            lines = [each[2] for each in _advice.REACHABLE.values() if each[:2] == (module, alias)]
            with self.subTest(module):
                self.completed("\n".join([f"import {module} as {alias}", *lines, "None"]), imports=[module])


class Warned(Case):
    def test_the_guards_place_is_not_shown(self) -> None:
        run = self.completed(
            "import warnings\nimport matplotlib.pyplot as plt\nplt.title('\\u65e5')\n"
            "warnings.warn('above', stacklevel=2)\nwarnings.warn('here')"
        )
        self.assertIn("UserWarning: Glyph 26085", run.stderr)
        self.assertIn("UserWarning: above\n", run.stderr)
        self.assertIn("script.py:5: UserWarning: here\n", run.stderr)
        self.assertNotIn("hotcell_guard", run.stderr)
        self.assertNotIn("savefig", run.stderr)

    def test_a_forged_place_quotes_no_file(self) -> None:
        run = self.completed(
            "import warnings\nwarnings.warn_explicit('m', UserWarning, '/etc/passwd', 1)\n"
            "print(warnings.formatwarning('m', UserWarning, '/etc/passwd', 1))"
        )
        self.assertIn("/etc/passwd:1: UserWarning: m", run.stderr)
        self.assertNotIn("root:", run.stdout + run.stderr)

    def test_give_no_other_module(self) -> None:
        code = (
            "import warnings\nmodule = type(warnings)\nfound = []\n"
            "for name in dir(warnings):\n    try: value = getattr(warnings, name)\n"
            "    except AttributeError: continue\n    if isinstance(value, module): found.append(name)\nfound"
        )
        self.assertEqual(self.completed(code).report["result"], [])


class Refusals(Case):
    def test_there_is_no_network(self) -> None:
        error = self.raised("import pandas as pd\npd.read_csv('https://example.org/x.csv')")
        self.assertIn("there is no network: data is below DATA", error)

    def test_there_is_no_other_program(self) -> None:
        error = self.raised("import matplotlib.pyplot as plt\nplt.rcParams['text.usetex'] = True\nplt.title('x')")
        self.assertIn("no other program can be started", error)

    def test_plotly_has_no_images(self) -> None:
        for call in ("f.write_image('x.png')", "f.to_image('png')", "pio.write_image(f, 'x.png')", "pio.to_image(f)"):
            with self.subTest(call):
                error = self.raised(f"import plotly.io as pio, plotly.graph_objects as go\nf = go.Figure()\n{call}")
                self.assertIn("collected as data", error)
                self.assertIn("matplotlib", error)

    def test_a_missing_file_that_is_below_data(self) -> None:
        advice = "; it is below DATA: write DATA / 'visits.csv'"
        for code in ("open('visits.csv')", "import pandas as pd\npd.read_csv('visits.csv')"):
            self.assertTrue(self.raised(code).endswith(advice), code)

    def test_a_missing_file_that_is_not(self) -> None:
        (self.host.directory / "secret").write_text("x")
        for code in (
            "open('nothing.csv')",
            "open('../secret')",
            "raise FileNotFoundError(2, 'No such file', 7)",
            "raise FileNotFoundError(2, 'No such file', '\\0')",
            "class E(FileNotFoundError): pass\nraise E(2, 'No such file', 'visits.csv')",
        ):
            with self.subTest(code):
                self.assertNotIn("it is below DATA", self.raised(code))
        self.assertNotIn("it is below DATA", self.raised("open('visits.csv')", bundle_dir=""))

    def test_a_module_as_a_name_of_a_package(self) -> None:
        error = self.raised("from pandas import io", imports=["pandas"])
        self.assertIn("'io' may not be imported from 'pandas'", error)
