"""Which import or attribute works instead of a module that a script may not import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final

__all__ = ["FACETS", "MOVED", "PRIVATE", "instead_of_module", "moved"]

MOVED: Final[Mapping[str, tuple[str, str]]] = {
    "PIL": ("matplotlib.pyplot", "plt.imread and plt.imsave of 'import matplotlib.pyplot as plt'"),
    "concurrent.futures.process": ("concurrent.futures", "'from concurrent.futures import ThreadPoolExecutor'"),
    "concurrent.futures.thread": ("concurrent.futures", "'from concurrent.futures import ThreadPoolExecutor'"),
    "matplotlib.backends": ("matplotlib.pyplot", "plt.savefig of 'import matplotlib.pyplot as plt' writes PNG, SVG and PDF"),
    "matplotlib.cbook": ("matplotlib", "the public functions of matplotlib.pyplot and numpy do its work"),
    "matplotlib.pylab": ("matplotlib.pyplot", "'import matplotlib.pyplot as plt' and 'import numpy as np'"),
    "matplotlib.style.core": ("matplotlib.style", "'import matplotlib.style'"),
    "numpy.core": ("numpy", "'import numpy as np': what was in numpy.core is in np"),
    "numpy.lib.format": ("numpy", "np.save and np.load of 'import numpy as np'"),
    "numpy.lib.npyio": ("numpy", "np.save and np.load of 'import numpy as np'"),
    "numpy.ma.core": ("numpy.ma", "'import numpy.ma as ma'"),
    "numpy.matlib": ("numpy", "'import numpy as np': np.matrix, np.ones and np.eye"),
    "numpy.random.mtrand": ("numpy.random", "'from numpy.random import RandomState'"),
    "pandas.compat": ("pandas", "'import pandas as pd'"),
    "pandas.core": ("pandas", "'import pandas as pd': what pandas documents is in pd and pd.api"),
    "pandas.io": ("pandas", "the readers of 'import pandas as pd': pd.read_csv, pd.read_json, pd.json_normalize"),
    "pandas.util.testing": ("pandas", "'import pandas.testing'"),
    "patsy.eval": ("patsy", "'import patsy': patsy.dmatrix"),
    "patsy.highlevel": ("patsy", "'from patsy import dmatrix, dmatrices'"),
    "plotly.io.kaleido": ("plotly.io", "charts that the script makes are saved; matplotlib draws pictures"),
    "plotly.offline.offline": ("plotly.offline", "'import plotly.offline'"),
    "plotly.plotly": ("plotly.graph_objects", "'import plotly.graph_objects as go'"),
    "plotly.tools": ("plotly.subplots", "'from plotly.subplots import make_subplots'"),
    "pylab": ("matplotlib.pyplot", "'import matplotlib.pyplot as plt' and 'import numpy as np'"),
    "scipy.io.matlab": ("scipy.io", "'from scipy.io import loadmat, savemat'"),
    "scipy.misc": ("scipy.special", "'from scipy.special import comb, factorial, logsumexp'"),
    "seaborn.utils": ("seaborn", "'import seaborn as sns': sns.despine, sns.move_legend"),
    "sklearn.experimental": ("sklearn.impute", "'from sklearn.impute import KNNImputer, SimpleImputer'"),
    "sklearn.utils": ("sklearn.utils", "'import sklearn.utils'"),
    "tqdm.notebook": ("tqdm", "'from tqdm import tqdm'"),
    "tqdm.contrib": ("tqdm", "'from tqdm import tqdm'"),
    "statsmodels.compat": ("statsmodels.compat", "'from statsmodels.compat import lzip'"),
    "statsmodels.formula.formulatools": ("statsmodels.formula.api", "'import statsmodels.formula.api as smf'"),
    "statsmodels.iolib.foreign": ("pandas", "pd.read_stata of 'import pandas as pd'"),
    "statsmodels.tsa.x13": ("statsmodels.tsa.seasonal", "'from statsmodels.tsa.seasonal import STL'"),
    "typing_extensions": ("typing", "'import typing', which has the same names"),
}
"""What is not listed, with what must be for the words behind it to help. A row is for what is below it, too."""

FACETS: Final[Mapping[str, tuple[str, str]]] = {
    "numpy": ("np", "char emath exceptions dtypes fft lib linalg ma polynomial random rec strings testing"),
    "pandas": ("pd", "api arrays errors plotting testing tseries"),
    "scipy.stats": ("stats", "contingency distributions mstats qmc sampling"),
    "scipy.signal": ("signal", "windows"),
    "scipy.linalg": ("linalg", "blas lapack"),
    "scipy.sparse": ("sparse", "linalg csgraph"),
    "scipy.spatial": ("spatial", "distance transform"),
    "scipy.cluster": ("cluster", "hierarchy vq"),
    "plotly.express": ("px", "data colors"),
    "plotly.graph_objects": ("go", "layout"),
    "matplotlib": (
        "mpl",
        "artist axes axis cm collections colorbar colors container contour dates figure font_manager gridspec image legend "
        "lines markers mathtext mlab offsetbox patches path patheffects projections rcsetup scale spines style table text "
        "textpath ticker transforms tri units",
    ),
}
"""Modules that another hands out as its attributes, though the policy does not list them: its usual name, theirs."""

PRIVATE: Final[Mapping[str, frozenset[str]]] = {
    "sklearn.base": frozenset(("_fit_context",)),
    "sklearn.utils": frozenset(("_safe_indexing",)),
    "sklearn.utils.validation": frozenset("_check_feature_names_in _check_sample_weight _num_features _num_samples".split()),
    "statsmodels.multivariate.multivariate_ols": frozenset(("_MultivariateOLS",)),
}
"""Names with an underscore that estimators of others import, and models that have no other name. The functions are
handed data or an estimator and give data; the model is made, fitted and read as those beside it are."""

_LONGEST: Final = 200
_MOST: Final = 3
_SHOWN: Final = 8


def instead_of_module(name: str, imports: Iterable[str]) -> str | None:
    """Return what to write instead of importing a module, as the end of a sentence, or None."""
    listed = {*imports}
    name = name[:_LONGEST]  # the comparison's time grows with the square of the length
    return _attribute(name, listed) or _misspelt(name, listed, 0.9) or _near(name, listed)


def moved(name: str, imports: Iterable[str]) -> str | None:
    """Return what has the content of a module that no script imports, as the end of a sentence, or None."""
    listed = {*imports}
    for above in _above(name[:_LONGEST]):
        needed, words = MOVED.get(above, ("", ""))
        if words and needed in listed:
            return f"use {words}"
        package, _, own = above.rpartition(".")
        if own == "data" and package in listed and package.startswith("statsmodels.datasets."):
            return f"write 'import {package}'"
    return None


def _attribute(name: str, listed: set[str]) -> str | None:
    """Return the attribute by which another module has this one."""
    package, _, own = name.rpartition(".")
    alias, names = FACETS.get(package, ("", ""))
    if package not in listed or own not in names.split():
        return None
    return f"write 'import {package} as {alias}' and use {alias}.{own}"


def _misspelt(name: str, listed: set[str], cutoff: float) -> str | None:
    alike = _alike(name, listed, cutoff, 2)
    return f"write {' or '.join(map(_statement, alike))}" if alike else None


def _near(name: str, listed: set[str]) -> str | None:
    """Return what of its package can be imported, when the package is there and the module is not."""
    above = next((each for each in _above(name) if each in listed), None)
    own = {each[len(above) + 1 :] for each in listed if above is not None and each.startswith(f"{above}.")}
    alike = _alike(name[len(above or "") + 1 :], own, 0.6, _MOST)  # by what is theirs: the package's name is alike in all
    if alike:
        return f"write {' or '.join(_statement(f'{above}.{each}') for each in alike)}"
    if above is not None and 0 < len(own) <= _SHOWN:
        return f"of {above} this policy has {', '.join(sorted(own))}"
    if above is not None and own:
        return f"this module of {above} cannot be imported; write {_statement(above)}, and use what dir() of it tells"
    if above is not None:
        return f"write {_statement(above)}, and use what dir() of it tells"
    return _misspelt(name, listed, 0.75)


def _alike(name: str, among: Iterable[str], cutoff: float, most: int) -> list[str]:
    import difflib  # only a refusal needs it

    return difflib.get_close_matches(name, sorted(among), n=most, cutoff=cutoff)


def _above(name: str) -> list[str]:
    """Return the module's own name and those of the packages above it, the nearest first."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _statement(name: str) -> str:
    return f"'import {name}'"
