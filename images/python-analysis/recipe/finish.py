"""Make the image's root file system start fast, and prove that it works.

Usage, inside the selected tree (by chroot, or in a Dockerfile's last stage):
    python3 -sBP finish.py            compile everything, cache fonts, import all
    python3 -sBP finish.py DIRECTORY  compile the package in DIRECTORY

Needs PYTHONHASHSEED=0: byte code holds sets in the order of their hashes.
"""

import importlib
import json
import os
import py_compile
import sys
from collections.abc import Callable, Iterable, Iterator

STDLIB = f"/usr/lib/python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = "/usr/lib/python3/dist-packages"
FONT_CACHE = "/usr/share/hotcell/matplotlib"

# Fixed, whatever the machine: which process compiles a file has an influence on
# its byte code, for marshal marks objects that are referenced more than once.
COMPILERS = 2

# The packages that a user may import, and the parts that they load on demand.
IMPORTED = """
    numpy numpy.testing pandas pandas.testing pandas.plotting scipy.stats
    scipy.optimize scipy.signal scipy.io scipy.interpolate scipy.cluster.hierarchy
    scipy.integrate scipy.ndimage scipy.sparse.linalg scipy.spatial statsmodels.api
    statsmodels.formula.api statsmodels.tsa.api statsmodels.stats.api
    statsmodels.duration.api statsmodels.datasets.randhie statsmodels.datasets.heart
    matplotlib.pyplot matplotlib.backends.backend_pdf matplotlib.backends.backend_svg
    mpl_toolkits.mplot3d mpl_toolkits.axes_grid1 plotly.express plotly.graph_objects
    plotly.io plotly.subplots plotly.figure_factory requests pydantic email_validator
    jmespath dateutil.parser yaml seaborn sklearn sklearn.ensemble
    sklearn.model_selection sklearn.pipeline sklearn.datasets openpyxl jinja2
    tabulate html5lib bs4 tqdm PIL.Image zoneinfo ssl sqlite3 lzma bz2 decimal
    uuid ctypes unittest
""".split()


def sources(directory: str) -> Iterator[str]:
    for parent, directories, files in os.walk(directory):
        directories.sort()
        for name in sorted(files):
            if name.endswith(".py"):
                yield os.path.join(parent, name)


def compile_source(path: str) -> None:
    """Write byte code that Python trusts without a look at its source.

    The tree is read-only and pinned by digest, so that the check would only cost
    a stat per module, and a timestamp would make two builds differ.
    """
    py_compile.compile(
        path,
        doraise=True,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )


def compile_sources(paths: Iterable[str]) -> None:
    for path in paths:
        compile_source(path)


def compile_image() -> None:
    paths = [*sources(STDLIB), *sources(PACKAGES)]
    children = [start(compile_sources, paths[share::COMPILERS]) for share in range(COMPILERS)]
    for child in children:
        if os.waitpid(child, 0)[1] != 0:
            raise SystemExit("finish: a compiler failed")


def start(function: Callable[[list[str]], None], paths: list[str]) -> int:
    """Run the function in a child of fork, and return its process id."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            function(paths)
            status = 0
        finally:
            sys.stderr.flush()
            os._exit(status)
    return child


def cache_fonts() -> None:
    """Bake matplotlib's list of fonts, which takes it a second to make."""
    os.makedirs(FONT_CACHE, mode=0o755)
    os.environ["MPLCONFIGDIR"] = FONT_CACHE
    importlib.import_module("matplotlib.font_manager")
    (name,) = os.listdir(FONT_CACHE)
    path = os.path.join(FONT_CACHE, name)
    with open(path, encoding="utf-8") as file:
        cache = json.load(file)
    # The list is in the order of a set of paths: give it an order of its own.
    for fonts in ("afmlist", "ttflist"):
        if not cache[fonts]:
            raise SystemExit(f"finish: matplotlib found no fonts for its {fonts}")
        cache[fonts].sort(key=lambda font: font["fname"])
    with open(path, "w", encoding="utf-8") as file:
        json.dump(cache, file, indent=1, sort_keys=True)


def import_everything() -> None:
    for name in IMPORTED:
        importlib.import_module(name)


def finish_image() -> None:
    compile_image()
    cache_fonts()
    import_everything()


def main() -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":
        raise SystemExit("finish: set PYTHONHASHSEED=0")
    os.umask(0o022)
    match sys.argv[1:]:
        case []:
            finish_image()
        case [directory]:
            compile_sources(sources(directory))
        case _:
            raise SystemExit(__doc__)


main()
