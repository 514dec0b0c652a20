"""The import profile ``analysis``: every public submodule of the image's packages, made from the image.

    GUARD_PROGRAM=tests/profiles.py scripts/test-guard.sh            # the profile, on stdout
    make profile                                                     # writes policies/imports/analysis.yaml

Listed is what the image holds and can import, but for the floor (``_floor``) and for
``LEFT_OUT``, which says why of each. ``tests/walk.py`` looks at everything that is listed.
"""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE.parent)]

from hotcell_guard.vetting import _floor  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Final

ROOT: Final = Path("/usr/lib/python3/dist-packages")
PROFILE: Final = Path(os.environ.get("POLICIES", "/run")) / "imports" / "analysis.yaml"

_OTHERS: Final = "another profile lists what of it is harmless (common.yaml)"
_INNER: Final = "no script's interface: other packages of the image work with it"
PACKAGES_LEFT_OUT: Final[Mapping[str, str]] = {
    **dict.fromkeys("pydantic pydantic_core annotated_types email_validator requests jmespath yaml".split(), _OTHERS),
    **dict.fromkeys("certifi charset_normalizer idna urllib3 fontTools kiwisolver contourpy tenacity".split(), _INNER),
    **dict.fromkeys("bs4 html5lib soupsieve webencodings et_xmlfile markupsafe six joblib threadpoolctl".split(), _INNER),
    "jinja2": "makes Python of text; pandas draws its tables with templates of its own",
    "pyparsing": "looks at the frame of who calls it",
    "pypdf": _OTHERS,
    "typing_extensions": "its decorators write into what they are given; typing has them, checked",
    "hotcell_guard": "the guard",
}
"""Packages of which nothing is listed."""

_TESTS: Final = "tests, and what only tests use"
_READS: Final = "opens files of its own accord, by names that it is given"
_STARTS: Final = "starts other programs, or looks for them"
_GUI: Final = "windows and notebooks, which a run has not"
_NATIVE: Final = "native code without an interface for scripts"
_TABLES: Final = "tables of the package's own; what uses them is listed"
_AGAIN: Final = "the same names as those of its package, and some that this hides"
_LOADS: Final = "imports modules by names that it is given"
_PRIVATE: Final = "pandas calls it private, and what it documents is in pandas itself"
_FRAMES: Final = "evaluates text in the names of a frame that is given by its depth"
_OLD: Final = "only for pythons and packages of another age"

LEFT_OUT: Final[Mapping[str, str]] = {
    "PIL.*": "readers and writers of some forty formats, windows and old tools; what scripts make pictures with is listed",
    "*.testing": _TESTS, "*.testing.*": _TESTS, "*.test_*": _TESTS, "*.testutils": _TESTS,
    "*.timer_comparison": _TESTS, "*_examples": _TESTS, "*.template_data": _TESTS,
    "numpy.doc*": "documentation without code",
    "numpy.matlib": _AGAIN,
    "numpy.matrixlib*": _AGAIN,
    "numpy.ma.core": _AGAIN,
    "numpy.typing.mypy_plugin": "a plug-in of a type checker",
    "scipy.optimize.cython_optimize*": _NATIVE,
    "scipy.special.add_newdocs": "documentation without code",
    "scipy.io.*": _READS,
    "pandas.core*": _PRIVATE,
    "pandas.io*": _PRIVATE,
    "pandas.util.*": _PRIVATE,
    "matplotlib.backend_managers": _GUI,
    "matplotlib.backend_tools": _GUI,
    "matplotlib.ft2font": "native code that reads fonts by names of files; matplotlib.font_manager is listed",
    "matplotlib.style.core": _AGAIN,
    "matplotlib.pylab": _AGAIN,
    "pylab": _AGAIN,
    "statsmodels.datasets.*.data": _TABLES,
    "statsmodels.tsa.arima.datasets*": _TABLES,
    "statsmodels.interface*": _TESTS,
    "statsmodels.src*": _NATIVE,
    "statsmodels.iolib.api": "loads pickles",
    "statsmodels.iolib.foreign": _READS,
    "statsmodels.iolib.openfile": _READS,
    "statsmodels.tools.web": "opens a browser",
    "statsmodels.tools.parallel": _STARTS,
    "statsmodels.tools.docstring": "documentation's own tools",
    "statsmodels.tsa.x13": _STARTS,
    "statsmodels.base.wrapper": "writes methods into a class that it is given",
    "statsmodels.formula.formulatools": _FRAMES,
    "plotly.validators*": _TABLES,
    "plotly.tools": "draws figures of matplotlib again, by a package that is on the floor",
    "plotly.files": _READS,
    "plotly.offline.offline": _AGAIN,
    "plotly.io.json": _AGAIN,
    "plotly.optional_imports": _LOADS,
    "plotly.validator_cache": _LOADS,
    "plotly.missing_ipywidgets": _GUI,
    "plotly.serializers": _GUI,
    "plotly.animation": _TABLES,
    "plotly.shapeannotation": _TABLES,
    "plotly.express.imshow_utils": _AGAIN,
    "plotly.figure_factory.utils": _AGAIN,
    "patsy.eval": _FRAMES,
    "patsy.highlevel": _FRAMES,
    "patsy.compat*": _OLD,
    "patsy.tokens": "Python's tokenizer, for formulas",
    "dateutil.zoneinfo.rebuild": _STARTS,
    "pytz.pytz*": "a link of Debian's to the package itself",
    "pytz.tzfile": "makes classes of names that it reads from a file",
    "pytz.lazy": _AGAIN,
    "seaborn.utils": "downloads, and lists what could be downloaded",
    "seaborn.widgets": _GUI,
    "seaborn.external*": _INNER,
    "seaborn.colors*": _TABLES,
    "seaborn.cm": _AGAIN,
    "sklearn.externals*": _INNER,
    "sklearn.utils.*": "checks and tools for those who write estimators; sklearn.utils is listed",
    "sklearn.experimental*": "changes what other modules hold",
    "sklearn.datasets.*": _TABLES,
    "openpyxl.*": "the parts of a workbook; what of them scripts make is listed",
    "tabulate.version": _AGAIN,
    "tqdm.*": "for screens, notebooks and networks that a run has not; tqdm and tqdm.auto are listed",
    "networkx.lazy_imports": _LOADS,
    "networkx.utils.backends": _LOADS,
    "networkx.utils.decorators": "decorators that open files and make functions",
    "networkx.drawing.nx_agraph": _STARTS,
    "networkx.drawing.nx_pydot": _STARTS,
    "packaging.*": "looks at the interpreter and at what is installed",
}  # fmt: skip
"""Submodules that are not listed, by pattern, and why. Nor is what is native code itself."""

KEPT: Final = tuple(
    """
    openpyxl.cell openpyxl.chart openpyxl.chart.label openpyxl.chart.layout openpyxl.chart.series openpyxl.chart.shapes
    openpyxl.comments openpyxl.drawing openpyxl.drawing.image openpyxl.formatting openpyxl.formatting.rule openpyxl.styles
    openpyxl.styles.differential openpyxl.utils openpyxl.utils.cell openpyxl.utils.dataframe openpyxl.utils.exceptions
    openpyxl.workbook openpyxl.workbook.defined_name openpyxl.worksheet openpyxl.worksheet.datavalidation
    openpyxl.worksheet.page openpyxl.worksheet.table openpyxl.worksheet.worksheet scipy.io.wavfile scipy.io.arff sklearn.utils.class_weight
    sklearn.experimental sklearn.experimental.enable_halving_search_cv sklearn.experimental.enable_iterative_imputer
    sklearn.utils.extmath sklearn.utils.metaestimators sklearn.utils.random sklearn.utils.sparsefuncs statsmodels.compat
    sklearn.utils.multiclass sklearn.utils.validation tqdm.auto packaging.version packaging.specifiers pandas.testing numpy.testing
    pandas.core pandas.core.frame pandas.core.series pandas.core.generic pandas.core.groupby pandas.core.indexes
    pandas.core.indexes.base pandas.io pandas.io.formats pandas.io.formats.style pandas.io.json
    matplotlib.backend_tools matplotlib.ft2font matplotlib.pylab pylab
    PIL.ExifTags PIL.Image PIL.ImageChops PIL.ImageColor PIL.ImageDraw PIL.ImageEnhance PIL.ImageFilter PIL.ImageFont
    PIL.ImageOps PIL.ImagePalette PIL.ImageSequence PIL.ImageStat PIL.ImageTransform PIL.PngImagePlugin
    """.split()
)
"""Modules that a pattern of ``LEFT_OUT`` covers, and of which ``_shown`` says what is shown."""

_HEAD: Final = """\
# Made from the image by `make profile`; not to be edited. Every public submodule of the
# image's packages, but for the guard's floor and for what tests/profiles.py of the guard
# leaves out, each with its reason (LEFT_OUT).
description: numpy, pandas, scipy, statsmodels, matplotlib, plotly and what belongs to them
includes: [standard]
imports:
"""


def packages() -> list[str]:
    """Return the image's packages whose submodules are listed."""
    names = (_name(each) for each in ROOT.iterdir())
    return sorted({name for name in names if name is not None} - PACKAGES_LEFT_OUT.keys())


def _name(path: Path) -> str | None:
    """Return the name of the public module that a file or directory holds, or None."""
    name = path.name.partition(".")[0]
    if name.startswith("_") or not name.isidentifier():
        return None
    if path.is_dir():
        return name if "." not in path.name and any(path.rglob("*.py")) else None
    return name if path.suffix in (".py", ".so") else None


def public() -> Iterator[str]:
    """Yield each public module of the packages, the floor's and those that are left out, too."""
    for package in packages():
        yield package
        if (ROOT / package).is_dir():
            yield from _below(ROOT / package, f"{package}.")


def _below(directory: Path, prefix: str) -> Iterator[str]:
    for path in sorted(directory.iterdir()):
        name = _name(path)
        if name is None:
            continue
        yield prefix + name
        if path.is_dir():
            yield from _below(path, f"{prefix}{name}.")


def reason(name: str) -> str | None:
    """Return why a module is not listed, or None."""
    if _floor.import_is_floor(name):
        return "the floor"
    if name in KEPT:
        return None
    if any((ROOT / name.replace(".", "/")).parent.glob(f"{name.rpartition('.')[2]}.*.so")):
        return _NATIVE
    return next((why for pattern, why in LEFT_OUT.items() if matches(name, pattern)), None)


def matches(name: str, pattern: str) -> bool:
    """Tell whether a row of LEFT_OUT is of this module."""
    return fnmatch.fnmatchcase(name, pattern)


_IMPORT: Final = """
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
found = []
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
        found.append(name)
    except Exception:
        pass
json.dump(found, sys.stdout)
"""


def importable(names: Iterable[str]) -> list[str]:
    """Return those that the image can import: some need packages that it has not."""
    command = [sys.executable, "-sBP", "-c", _IMPORT]
    done = subprocess.run(command, input=json.dumps(list(names)), capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def listed() -> list[str]:
    """Return what the profile lists."""
    exceptions = [name for name in _floor.IMPORT_EXCEPTIONS if name.partition(".")[0] in packages()]
    return sorted({*importable(dict.fromkeys(name for name in public() if reason(name) is None)), *exceptions})


def render(names: Iterable[str]) -> str:
    """Return the profile's text."""
    return _HEAD + "".join(f"  - {name}\n" for name in names)


def main() -> None:
    """Print the profile: scripts/test-guard.sh shows the policies read-only to nobody, so make writes it."""
    sys.stdout.write(render(listed()))


if __name__ == "__main__":
    main()
