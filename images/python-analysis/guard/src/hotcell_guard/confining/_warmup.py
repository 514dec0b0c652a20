"""What must be in memory before the lock: afterwards no shared object can be mapped.

A library that loads native code only when it is needed would fail inside the
script. So everything that the script imports is imported here, and with it what
those packages were seen to load later. Only shared objects count: Python modules
and data can be read at any time.
"""

from __future__ import annotations

import ast
import importlib
import sys

from hotcell_guard.answering import _errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

__all__ = ["NOTHING", "Late", "Needs", "needs", "warm"]

_LONGEST_WORD: Final = 64


class Late:
    """Native code that a package loads late: once it is imported, and one of the words is used."""

    __slots__ = ("modules", "package", "words")

    def __init__(self, package: str, words: str, modules: str) -> None:
        self.package = package
        self.words = frozenset(words.split())  # empty: always
        self.modules = tuple(modules.split())


ALWAYS: Final = tuple(
    """
    _bz2 _lzma mmap _queue _contextvars _uuid
    _multibytecodec _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw
    """.split()
)
"""Of the standard library: compression, locks of thread pools, codecs that open() may
name. Together about 3 ms; each is a leaf that imports nothing."""

_SCIPY: Final = (
    "cluster constants datasets differentiate fft fftpack integrate interpolate io linalg misc ndimage odr "
    "optimize signal sparse spatial special stats"
)
_INTERPOLATIONS: Final = (
    "nearest zero slinear quadratic cubic barycentric polynomial krogh piecewise_polynomial spline pchip akima "
    "cubicspline from_derivatives"
)
_PLOTS: Final = (
    "plot plots plotting hist boxplot graphics qqplot scatter_matrix andrews_curves parallel_coordinates "
    "lag_plot autocorrelation_plot bootstrap_plot radviz plot_acf plot_pacf plot_fit plot_diagnostics plot_predict "
    "plot_regress_exog plot_partregress plot_ccpr plot_survfunc interaction_plot influence_plot mosaic qqplot_2samples"
)

_ASSIGNED: Final = (
    "kamada_kawai_layout kamada_kawai draw_kamada_kawai minimum_weight_full_matching graph_edit_distance optimal_edit_paths "
    "optimize_graph_edit_distance optimize_edit_paths degree_pearson_correlation_coefficient random_geometric_graph "
    "soft_random_geometric_graph geographical_threshold_graph waxman_graph thresholded_random_geometric_graph geometric_edges "
    "spectral_graph_forge random_kernel_graph chordal_cycle_graph"
)
_DRAWN: Final = (
    "draw draw_networkx draw_networkx_nodes draw_networkx_edges draw_networkx_labels draw_networkx_edge_labels draw_circular "
    "draw_kamada_kawai draw_planar draw_random draw_spectral draw_spring draw_shell"
)

LATE: Final = (
    Late("networkx", "", "numpy.random scipy.sparse.linalg scipy.sparse.csgraph scipy.linalg"),
    Late("networkx", _ASSIGNED, "scipy.optimize scipy.stats scipy.spatial scipy.special"),
    Late("networkx", _DRAWN, "matplotlib.pyplot"),
    Late("networkx", "to_pandas_edgelist to_pandas_adjacency from_pandas_adjacency", "pandas"),
    Late("plotly", "trendline", "statsmodels.api"),
    Late("plotly", "", "_decimal"),
    Late("pandas", _PLOTS, "matplotlib.pyplot"),
    Late("statsmodels", _PLOTS, "matplotlib.pyplot"),
    Late("pandas", "kde density kendall", "scipy.stats"),
    Late("pandas", _INTERPOLATIONS, "scipy.interpolate"),
    Late("pandas", "win_type", "scipy.signal"),
    Late("scipy", "solve_bvp brute direct", "scipy.interpolate"),
    *(Late("scipy", name, f"scipy.{name}") for name in _SCIPY.split()),
    Late("scipy", "sampling", "scipy.stats.sampling"),
    Late("seaborn", "objects", "seaborn.objects"),
    Late("pandas", "style Styler to_latex latex", "pandas.io.formats.style"),
    Late("pandas", "to_excel read_excel ExcelWriter ExcelFile", "openpyxl"),
    Late("pandas", "read_html", "bs4 html5lib"),
    Late("pandas", "read_xml", "xml.etree.ElementTree"),
    Late("pydantic", "", "pydantic_core pydantic.main"),
    Late("unittest", "IsolatedAsyncioTestCase", "asyncio unittest.async_case"),
    Late("numpy", "random", "numpy.random"),
    Late("numpy", "fft", "numpy.fft"),
    Late(
        "matplotlib.figure",
        "",
        """
        matplotlib.backends.backend_agg matplotlib._tri matplotlib._qhull contourpy numpy.fft
        """,
    ),
    Late(
        "matplotlib.figure",
        "pdf svg savefig ps eps svgz",
        "matplotlib.backends.backend_pdf fontTools.misc.bezierTools fontTools.varLib.iup PIL._imagingmath",
    ),
    Late("PIL.ImageDraw", "text multiline_text textbbox textlength multiline_textbbox getfont", "PIL.ImageFont"),
    Late("PIL.Image", "webp WebP WEBP", "PIL._webp"),
    Late("PIL.Image", "gif GIF", "PIL._imagingmath"),
    Late("matplotlib.figure", "jpg jpeg webp tif tiff gif savefig", "PIL._imagingmath PIL._webp"),
)
"""Measured with the packages of the image: the shared objects in /proc/self/maps before
and after what the words stand for. Those that bring further packages come first."""


class Needs:
    """The modules that a script imports, by full name, and the words that it uses."""

    __slots__ = ("modules", "words")

    def __init__(self, modules: frozenset[str], words: frozenset[str]) -> None:
        self.modules = modules
        self.words = words


NOTHING: Final = Needs(frozenset(), frozenset())
"""The needs of scripts that are not known yet."""


def needs(tree: ast.Module) -> Needs:
    """Read the needs of a checked tree: names, attributes, keywords, short strings."""
    modules: set[str] = set()
    words: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                modules.update(alias.name for alias in aliases)
                words.update(part for alias in aliases for part in alias.name.split("."))
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
                modules.add(name)
            case ast.ImportFrom(module=str(module), names=aliases):
                modules.add(module)
                modules.update(f"{module}.{alias.name}" for alias in aliases)
                words.update((*module.split("."), *(alias.name for alias in aliases)))
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.keyword(arg=str(word)):
                words.add(word)
            case ast.Constant(value=str(text)) if len(text) <= _LONGEST_WORD:
                # The end of a file's name says what is written to it.
                words.update((text, text.rpartition(".")[2]))
    return Needs(frozenset(modules), frozenset(words))


def warm(modules: Iterable[str], words: frozenset[str] | None) -> None:
    """Import the modules that a script imports, and what they load late.

    words None stands for every word: for code that is not known yet. Then modules is all
    that a script may import, and what is deep below a package is left to the script: it
    brings no native code of its own, and would take time and memory that few need.
    """
    for name in ALWAYS:
        importlib.import_module(name)
    for name in sorted(modules if words is not None else filter(_is_shallow, modules)):
        _attempt(name)
    for late in LATE:
        if late.package in sys.modules and (words is None or not late.words or late.words & words):
            for name in late.modules:
                _attempt(name)


def _is_shallow(name: str) -> bool:
    return name.count(".") < 2


def _attempt(name: str) -> None:
    """Import a module. What fails is the script's to stumble over, with its line."""
    if name not in sys.modules:
        _errors.attempt(lambda: importlib.import_module(name))
