"""What to write instead: the second half of a refusal's sentence."""

from __future__ import annotations

from hotcell_guard.vetting import _floor, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["REACHABLE", "instead_of_import", "instead_of_line", "instead_of_name"]

_FILES: Final = "DATA and OUTPUT are paths already: DATA / 'in.csv', DATA.glob('*.csv'), open(OUTPUT / 'out.txt', 'w')"
_NETWORK: Final = "there is no network; data is below DATA"
_PROGRAMS: Final = "no other program can be started; write it in Python"
_TABLES: Final = "write CSV or JSON, with DataFrame.to_csv or json.dump"
_MODELS: Final = "it is not in this image; use statsmodels or scipy"
_DRAWINGS: Final = "it is not in this image; use matplotlib.pyplot"
_FRAMES: Final = "it is not in this image; use pandas"
_DISPLAY: Final = "use print(), or make the value the script's last expression"

_IMPORTS: Final[Mapping[str, str]] = {
    **dict.fromkeys("os pathlib glob shutil tempfile fileinput".split(), _FILES),
    **dict.fromkeys("socket ssl requests urllib urllib3 http httpx aiohttp ftplib smtplib".split(), _NETWORK),
    **dict.fromkeys("subprocess multiprocessing pty".split(), _PROGRAMS),
    **dict.fromkeys("pickle shelve marshal joblib dill cloudpickle".split(), _TABLES),
    **dict.fromkeys("sklearn xgboost lightgbm lifelines torch tensorflow keras pingouin".split(), _MODELS),
    **dict.fromkeys("seaborn bokeh altair plotnine".split(), _DRAWINGS),
    **dict.fromkeys("polars dask pyspark".split(), _FRAMES),
    **dict.fromkeys("IPython ipywidgets".split(), _DISPLAY),
    "sys": "raise SystemExit ends the run; print() writes",
    "io": "open() reads and writes files; pandas.read_csv takes a path",
    "logging": "use print()",
    "traceback": "let the exception end the run; its traceback is reported",
    "tqdm": "loop without it",
    "argparse": "put the values into the script",
    "copy": "use the copy() method of the object",
    "csv": "use pandas.read_csv and DataFrame.to_csv",
}
"""By the first part of the module's name."""

REACHABLE: Final[Mapping[str, tuple[str, str, str]]] = {
    "pandas.api.types": ("pandas", "pd", "pd.api.types"),
    "pandas.errors": ("pandas", "pd", "pd.errors"),
    "pandas.plotting": ("pandas", "pd", "pd.plotting"),
    "pandas.testing": ("pandas", "pd", "pd.testing"),
    "pandas.tseries.offsets": ("pandas", "pd", "pd.offsets"),
    "numpy.fft": ("numpy", "np", "np.fft"),
    "numpy.ma": ("numpy", "np", "np.ma"),
    "matplotlib.cm": ("matplotlib.pyplot", "plt", "plt.cm"),
    "matplotlib.colors": ("matplotlib.pyplot", "plt", "plt.matplotlib.colors"),
    "matplotlib.gridspec": ("matplotlib.pyplot", "plt", "plt.matplotlib.gridspec"),
    "matplotlib.lines": ("matplotlib.pyplot", "plt", "plt.matplotlib.lines"),
    "matplotlib.patches": ("matplotlib.pyplot", "plt", "plt.matplotlib.patches"),
    "mpl_toolkits.mplot3d": ("matplotlib.pyplot", "plt", "plt.subplots(subplot_kw={'projection': '3d'})"),
    "statsmodels.stats.anova": ("statsmodels.api", "sm", "sm.stats.anova_lm"),
    "statsmodels.stats.api": ("statsmodels.api", "sm", "sm.stats"),
    "statsmodels.stats.multitest": ("statsmodels.api", "sm", "sm.stats.multipletests"),
    "statsmodels.stats.proportion": ("statsmodels.api", "sm", "sm.stats.proportions_ztest"),
    "statsmodels.stats.weightstats": ("statsmodels.api", "sm", "sm.stats.DescrStatsW"),
    "statsmodels.tsa.api": ("statsmodels.api", "sm", "sm.tsa"),
    "statsmodels.tsa.stattools": ("statsmodels.api", "sm", "sm.tsa"),
}
"""Modules whose content another module hands out: import it, call it so, write that."""

_MARKS: Final[Mapping[str, str]] = {
    "```": "Markdown is not Python; remove the lines with ```",
    "%": "a line that begins with % is a notebook's command; remove it",
    "!": "a line that begins with ! is a shell command; remove it",
}


def instead_of_import(name: str, rules: _rules.Rules) -> str:
    """Return what to do instead of importing name, as the end of a sentence."""
    if name in REACHABLE and REACHABLE[name][0] in rules.imports:
        module, alias, expression = REACHABLE[name]
        return f"write 'import {module} as {alias}' and use {expression}"
    hint = _IMPORTS.get(name.partition(".")[0])
    if hint is not None:
        return hint
    if _floor.import_is_floor(name):
        return "no policy can allow it; write the script without it"
    near = _near(name, rules.imports)
    if near:
        return f"allowed: {' or '.join(near)}"
    return "this policy does not allow it; write the script without it"


def instead_of_name(module: str, name: str, shown: list[str], rules: _rules.Rules) -> str:
    """Return what to do instead of using a name that the view of module does not show."""
    import difflib  # only a refusal needs it

    full = f"{module}.{name}"
    if full in rules.imports:
        return f"write 'import {full}' first"
    alike = difflib.get_close_matches(name[:200], [each for each in shown if not each.startswith("_")], n=2, cutoff=0.75)
    if alike:
        return f"{module} has: {' or '.join(alike)}"
    if full in REACHABLE or _floor.import_is_floor(full):
        return instead_of_import(full, rules)
    if name.startswith("_"):
        return f"it is private; use what {module} documents"
    return f"only the documented names of {module} are available here; see dir({module.rpartition('.')[2]})"


def _near(name: str, allowed: frozenset[str]) -> list[str]:
    """Return what name may be a misspelling of, else the allowed package above it."""
    import difflib  # only a refusal needs it

    name = name[:200]  # the comparison's time grows with the square of the length
    for cutoff in (0.9, 0.75):
        alike = difflib.get_close_matches(name, sorted(allowed), n=2, cutoff=cutoff)
        if alike:
            return alike
        parent = name.rpartition(".")[0]
        while parent and parent not in allowed:
            parent = parent.rpartition(".")[0]
        if parent:
            return [parent]
    return []


def instead_of_line(text: str, line: int) -> str | None:
    """Return what to do about a line that no Python could parse, if it is known."""
    lines = text.splitlines()
    begin = lines[line - 1].lstrip() if 0 < line <= len(lines) else ""
    return next((advice for mark, advice in _MARKS.items() if begin.startswith(mark)), None)
