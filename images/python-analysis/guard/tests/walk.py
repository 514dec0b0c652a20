"""Walks everything that a script reaches from the views by names that it may use, and
prints each path that ends at a module, a frame, a loader, an opener or a function
that runs text. Prints nothing when there is none. A process of its own: it changes
the libraries as the guard does.
"""

from __future__ import annotations

import builtins
import ctypes
import gc
import importlib.machinery
import inspect
import io
import marshal
import os
import pathlib
import pickle
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import types
from collections import deque
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "src"), str(Path(__file__).parents[1])]

from hotcell_guard.granting import _builtins, _files, _gadgets, _importlib, _imports, _shown, _views  # noqa: E402
from hotcell_guard.granting._attributes import Attributes  # noqa: E402
from hotcell_guard.granting._standins import StandIns  # noqa: E402
from hotcell_guard.libraries import _hardening  # noqa: E402
from hotcell_guard.speaking._streams import OutputStream  # noqa: E402
from hotcell_guard.vetting import _rules  # noqa: E402
from tests import inventory  # noqa: E402
from tests.test_views import LIBRARIES, STANDARD  # noqa: E402

DEPTH = 4
LISTED = frozenset((*STANDARD, *LIBRARIES, "concurrent.futures", *inventory.policy_roots()))
RULES = _rules.Rules(LISTED, frozenset(), frozenset())
PLAIN = (int, float, str, bytes, bool, type(None), complex)
FRAMES = (
    types.FrameType,
    types.CodeType,
    types.TracebackType,
    importlib.machinery.ModuleSpec,
    importlib.machinery.SourceFileLoader,
)


def views() -> dict[str, Any]:
    """The view of each listed module."""
    namespace: dict[str, Any] = {}
    made = _views.Views(RULES, lambda: hardening.check())
    attributes = Attributes(RULES)
    _builtins.curated(RULES, _imports.guarded_import(RULES, made), lambda *given: open(*given), attributes)
    hardening = _hardening.Hardening(RULES, namespace, attributes, lambda code: None, {})
    stand_ins = StandIns(_files.Zones("", "/tmp", "/tmp"), attributes, "script.py", _builtins.leave, _importlib.by_name(LISTED, made))
    hardening.apply()
    made.replace(_gadgets.replacements(attributes, print, repr), stand_ins)
    return {name: made.load(name) for name in sorted(LISTED)}


def objects(view: dict[str, Any]) -> dict[str, Any]:
    """What scripts make and hold, beside the modules' own content."""
    np, pd, plt, st = (view[name] for name in ("numpy", "pandas", "matplotlib.pyplot", "scipy.stats"))
    sm, smf, go = (view[name] for name in ("statsmodels.api", "statsmodels.formula.api", "plotly.graph_objects"))
    df = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, 8], "y": [1.0, 3, 2, 5, 4, 6, 8, 7], "g": list("abababab")})
    df["d"] = pd.date_range("2020", periods=8)
    _, ax = plt.subplots()
    ols = smf.ols("y ~ x", df).fit()
    return {
        "DATA": pathlib.Path("/tmp"),
        "df": df, "series": df.x, "index": df.index, "groups": df.groupby("g"), "rolling": df.x.rolling(2),
        "str": df.g.str, "dt": df.d.dt, "timestamp": pd.Timestamp("2020"), "categorical": pd.Categorical(["a"]),
        "figure": ax.figure, "axes": ax, "line": ax.plot([1])[0], "xaxis": ax.xaxis, "canvas": ax.figure.canvas,
        "manager": plt.get_current_fig_manager(), "rcParams": plt.rcParams, "style": plt.style,
        "generator": np.random.default_rng(), "state": np.random.RandomState(), "dtype": np.dtype("f8"),
        "ufunc": np.sin, "array": np.zeros(3), "masked": np.ma.array([1]), "matrix": np.asmatrix([1]),
        "records": np.rec.array([(1,)], dtype=[("a", "i8")]), "vectorize": np.vectorize(lambda x: x),
        "ols": ols, "model": ols.model, "summary": ols.summary(), "prediction": ols.get_prediction(),
        "glm": smf.glm("y ~ x", df).fit(), "dataset": sm.datasets.longley.load(),
        "norm": st.norm, "frozen": st.norm(), "ttest": st.ttest_1samp([1, 2, 3], 0),
        "minimum": view["scipy.optimize"].minimize(lambda v: (v[0] - 1) ** 2, [0]),
        "plotly": go.Figure(go.Scatter(x=[1])), "px": view["plotly.express"].scatter(df, x="x", y="y"),
        "pattern": view["re"].compile("a"), "match": view["re"].match("a", "a"),
        "partial": view["functools"].partial(print), "lru_cache": view["functools"].lru_cache(lambda x: x),
        "dispatch": view["functools"].singledispatch(lambda x: x), "encoder": view["json"].JSONEncoder(),
        "generator object": (x for x in ()), "exception": ValueError("x"), "stack": view["contextlib"].ExitStack(),
        "logger": view["logging"].getLogger("x"), "catch": view["warnings"].catch_warnings(),
        "redirect": view["contextlib"].redirect_stdout(None), "getter": view["operator"].attrgetter("real"),
        "formatter": view["string"].Formatter(), "template": view["string"].Template("x"),
        "writer": view["csv"].writer(view["io"].StringIO()), "pool": view["concurrent.futures"].ThreadPoolExecutor(1),
        "animation": view["matplotlib.animation"].FuncAnimation(ax.figure, lambda number: [], frames=2),
        "film": view["matplotlib.animation"].HTMLWriter(), "gif": view["matplotlib.animation"].PillowWriter(),
        "sankey": view["matplotlib.sankey"].Sankey(), "slider": view["matplotlib.widgets"].Slider(ax, "", 0, 1),
        "parasites": view["mpl_toolkits.axisartist"].Axes(ax.figure, (0, 0, 1, 1)), "solid": plt.figure().add_subplot(projection="3d"),
        "archive": view["zipfile"].ZipFile(view["io"].BytesIO(), "w"), "gzip": view["gzip"].open(view["io"].BytesIO(), "w"),
        "thread": view["threading"].Thread(), "condition": view["threading"].Condition(), "weak": view["weakref"].WeakSet(),
        "arima": view["statsmodels.tsa.arima.model"].ARIMA(np.arange(9.0)), "loess": view["statsmodels.tsa.seasonal"].STL(df.x, period=2).fit(),
        "zone": view["zoneinfo"].ZoneInfo("UTC"), "context": view["decimal"].getcontext(),
        "entry": next(view["os"].scandir("/tmp")), "entries": view["os"].scandir("/tmp"), "walked": view["os"].walk("/tmp"),
        "status": view["os"].stat("/tmp"), "environment": view["os"].environ, "found": view["glob"].iglob("/tmp/*"),
        "named": view["tempfile"].NamedTemporaryFile(), "directory": view["tempfile"].TemporaryDirectory(),
        "signature": view["inspect"].signature(pd.DataFrame.merge), "of a module's": view["inspect"].signature(warn_by_default),
        "bound": view["inspect"].signature(verdict).bind(1, 2, 3), "arguments": view["inspect"].getfullargspec(plain_walk),
        **pictures(view), **learned(view, df), "styler": df.style, "styled": df.style.highlight_max(subset=["x"]),
        "book": (book := view["openpyxl"].Workbook()), "sheet": book.active, "cell": book.active["A1"],
        "chart": view["openpyxl.chart"].BarChart(), "rule": view["openpyxl.formatting.rule"].CellIsRule(formula=["1"]),
        "bar": view["tqdm"].tqdm([1]), "size": view["shutil"].get_terminal_size(), "ignored": view["shutil"].ignore_patterns("*"),
    }  # fmt: skip


def pictures(view: dict[str, Any]) -> dict[str, Any]:
    """What PIL gives."""
    image, found = view["PIL.Image"], {}
    for kind in ("png", "jpeg", "gif", "tiff", "bmp", "ppm"):
        image.new("RGB", (9, 9), "red").save(stream := io.BytesIO(), format=kind)
        found[f"picture in {kind}"] = image.open(stream)
    picture = found["picture in png"]
    return {
        **found, "picture": image.new("P", (9, 9)), "pixels": picture.load(), "exif": picture.getexif(),
        "native picture": picture.getdata(), "typeface": view["PIL.ImageFont"].load_default(12),
        "drawing": view["PIL.ImageDraw"].Draw(picture), "contrast": view["PIL.ImageEnhance"].Contrast(picture),
        "statistic": view["PIL.ImageStat"].Stat(picture), "sequence": view["PIL.ImageSequence"].Iterator(picture),
        "blur": view["PIL.ImageFilter"].GaussianBlur(2), "text in png": view["PIL.PngImagePlugin"].PngInfo(),
    }  # fmt: skip


def learned(view: dict[str, Any], df: Any) -> dict[str, Any]:
    """What scikit-learn and seaborn give."""
    X, y = df[["x", "y"]], [0, 1] * 4  # noqa: N806
    trees, models = view["sklearn.ensemble"], view["sklearn.linear_model"]
    forest = trees.RandomForestClassifier(2).fit(X, y)
    pipeline = view["sklearn.pipeline"].make_pipeline(view["sklearn.preprocessing"].StandardScaler(), models.LogisticRegression())
    search = view["sklearn.model_selection"].GridSearchCV(models.Ridge(), {"alpha": [1, 2]}, cv=2)
    so = view["seaborn.objects"]
    return {
        "forest": forest, "tree": forest.estimators_[0].tree_, "boosted": trees.GradientBoostingClassifier(n_estimators=2).fit(X, y),
        "pipeline": pipeline.fit(X, y), "search": search.fit(X, y), "machine": view["sklearn.svm"].SVC().fit(X, y),
        "neighbours": view["sklearn.neighbors"].KNeighborsClassifier(2).fit(X, y), "kd": view["sklearn.neighbors"].KDTree(X),
        "net": view["sklearn.neural_network"].MLPClassifier(max_iter=1).fit(X, y), "bunch": view["sklearn.datasets"].load_iris(),
        "words": view["sklearn.feature_extraction.text"].TfidfVectorizer().fit(["a cat", "the dog"]),
        "process": view["sklearn.gaussian_process"].GaussianProcessRegressor().fit(X, y),
        "grid": view["seaborn"].FacetGrid(df, col="g"), "plot": so.Plot(df, x="x", y="y").add(so.Dot(), so.Agg()),
        "palette": view["seaborn"].color_palette("deep"),
    }  # fmt: skip


def warn_by_default(module: types.ModuleType = os, opener: Any = io.open_code, several: Any = (os, [eval])) -> type:
    """A library's function whose defaults lead out."""
    return type(module)


def plain_walk(top: str, *, modules: Any = (sys,)) -> None:
    """Another."""


def _dangerous() -> dict[int, str]:
    """Functions that no path may end at, by identity."""
    found = {id(getattr(builtins, name)): name for name in "eval exec compile open __import__ getattr setattr vars".split()}
    found |= {id(io.open_code): "open_code", id(io.FileIO): "FileIO"}
    for module in (os, subprocess, importlib, ctypes, pickle, inspect, socket, shutil, tempfile, gc, marshal):
        for name, value in vars(module).items():
            own = getattr(value, "__module__", None) in (module.__name__, "posix", "_pickle", "_ctypes", "_socket")
            if callable(value) and own and not (isinstance(value, type) and issubclass(value, BaseException)):
                found[id(value)] = f"{module.__name__}.{name}"
    for harmless in (os.fspath, os.fsencode, os.fsdecode, os.PathLike):
        found.pop(id(harmless), None)
    return found


DANGEROUS = _dangerous()
REACHED = ("matplotlib.pyplot.FigureManagerBase",)
"""What is hidden for its name's sake: a canvas has it, and it only draws."""
HIDDEN: dict[int, str] = {}
"""Functions and classes that a view hides, by identity: others re-export them."""


def _hidden() -> dict[int, str]:
    """Return what is hidden, in what is loaded by now."""
    found: dict[int, str] = {}
    for module, names in _shown.HIDDEN.items():
        for name in names - _shown.EXTRA.get(module, frozenset()):
            value = vars(sys.modules.get(module, types)).get(name)  # not by an import
            home = str(getattr(value, "__module__", ""))
            known = f"{module}.{name}" in REACHED
            if not known and callable(value) and home.partition(".")[0] == module.partition(".")[0]:
                found[id(value)] = f"{module}.{name}, which is hidden"
    return found


def verdict(value: object, real: set[int], dictionaries: set[int]) -> str | None:
    """Say what is wrong with a value, or None."""
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}" if id(value) in real else None
    if id(value) in DANGEROUS:
        return DANGEROUS[id(value)]
    if id(value) in HIDDEN:
        return HIDDEN[id(value)]
    if isinstance(value, FRAMES):
        return type(value).__name__
    return "a module's globals" if id(value) in dictionaries else None


def children(value: Any) -> Any:
    """Yield what a script gets from a value by one public name or one index."""
    if isinstance(value, list | tuple | set | frozenset) and len(value) < 500:
        yield from ((f"[{number}]", item) for number, item in enumerate(list(value)))
    if isinstance(value, dict) and len(value) < 500:
        yield from ((f"[{key!r}]", item) for key, item in list(value.items()))
    for name in {*dir(value), *(name for kind in type(value).__mro__ for name in vars(kind)), "__class__"}:
        if name.startswith("_") and name != "__class__" or _rules.attribute_refusal(name, RULES) is not None:
            continue
        try:
            yield f".{name}", getattr(value, name)
        except Exception:  # properties of half-made objects raise anything
            continue


def walk(roots: dict[str, Any]) -> list[str]:
    """Return the paths that lead out, each kind of end once."""
    real = {id(module) for module in list(sys.modules.values())}
    dictionaries = {id(vars(module)) for module in list(sys.modules.values()) if isinstance(module, types.ModuleType)}
    HIDDEN.update(_hidden())
    found: dict[str, str] = {}
    kept: dict[int, Any] = {}
    queue = deque((name, value, 0) for name, value in roots.items())
    while queue:
        path, value, depth = queue.popleft()
        wrong = verdict(value, real, dictionaries)
        if wrong is not None:
            found.setdefault(wrong, path)
        elif id(value) not in kept and not isinstance(value, PLAIN) and depth <= DEPTH:
            kept[id(value)] = value
            if depth < DEPTH:
                queue.extend((path + step, child, depth + 1) for step, child in children(value))
    if len(kept) < 100_000:
        found["too few objects: the walk proves nothing"] = str(len(kept))
    return [f"{path}: {wrong}" for wrong, path in found.items()]


def lent(shown: dict[str, Any]) -> list[str]:
    """Name what a view shows of a module that is not listed, and that the library does not call its own interface."""
    found = []
    for name, view in shown.items():
        own = _shown.ONLY.get(name) or vars(sys.modules.get(name, object)).get("__all__", ())
        for each, value in vars(view).items():
            home = getattr(value, "__module__", None) if callable(value) and each not in own else None
            if isinstance(home, str) and home.partition(".")[0] in PACKAGES and _is_unknown(home):
                found.append(f"{name}.{each}: of {home}, which no policy lists")
    return found


PACKAGES = frozenset(name.partition(".")[0] for name in LISTED)
HARMLESS = re.compile(
    r"pandas\.core\.|requests\.|plotly\.(offline\.offline|missing_ipywidgets)$|patsy\.highlevel$|jmespath\.compat$"
    r"|statsmodels\.(tools\.docstring|nonparametric\.linbin)$|packaging\.utils$|matplotlib\.ft2font$"
    r"|sklearn\.utils\.(validation|extmath|multiclass|parallel)$|seaborn\.utils$"
)
"""Modules whose functions and classes may be found in those that use them."""
LOOKED_AT = frozenset(("statsmodels.base.model.handle_formula_data",))  # the evaluation of formulas is the guard's


def _is_unknown(home: str) -> bool:
    private = home.startswith("_") or "._" in home  # of no interface; what shows it says what it is for
    return not private and home not in LISTED and HARMLESS.match(home) is None


def main() -> None:
    """Walk, and print what was found."""
    shown = views()
    streams = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = OutputStream(io.StringIO())  # type: ignore[assignment,arg-type]  # what a script finds there
    try:
        found = [line for line in lent(shown) if line.partition(":")[0] not in LOOKED_AT]
        found += walk({**shown, **objects(shown)})
    finally:
        sys.stdout, sys.stderr = streams
    for line in found:
        print(line)


if __name__ == "__main__":
    main()
