"""What to write instead: the second half of a refusal's sentence."""

from __future__ import annotations

import os
import re
import sys

from hotcell_guard.vetting import _floor, _modules, _phrases, _rules
from hotcell_guard.vetting._gone import GONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = [
    "REACHABLE",
    "instead_of_import",
    "instead_of_input",
    "instead_of_line",
    "instead_of_name",
    "instead_of_star",
    "is_in_image",
    "lacking",
    "package",
    "refused_name",
]

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

_COMMAND: Final = re.compile(r"[A-Za-z_][\w, ]*=\s*[!%]\w")
"""A notebook's command whose answer gets a name: ``files = !ls``."""
_LONGEST_NAME: Final = 200


def instead_of_import(name: str, rules: _rules.Rules) -> str:
    """Return what to do instead of importing name, as the end of a sentence."""
    if name in rules.left_out:
        return _left_out(name, rules)
    if name in REACHABLE and REACHABLE[name][0] in rules.imports:
        module, alias, expression = REACHABLE[name]
        return f"write 'import {module} as {alias}' and use {expression}"
    hint = package(name, rules)
    if hint is not None:
        return hint
    moved = _modules.moved(name, rules.imports)
    if moved is None and _floor.import_is_floor(name):
        return "no policy can allow it; write the script without it"
    return moved or _modules.instead_of_module(name, rules.imports) or f"{_why(name)}; write the script without it"


def _left_out(name: str, rules: _rules.Rules) -> str:
    if not rules.imports:
        return f"the request says --import none, though the policy has it; say --import {name} instead"
    return f"the request's --import leaves it out, though the policy has it; add --import {name}"


def package(name: str, rules: _rules.Rules) -> str | None:
    """Return what the table of packages says instead of a module, as the end of a sentence, or None."""
    root = name.partition(".")[0]
    choices = _phrases.PACKAGES.get(name) or (None if root in rules.imports else _phrases.PACKAGES.get(root))
    if choices is None:
        return None
    said = next((said for needed, said in choices if not needed or needed in rules.imports), "write the script without it")
    if rules.inputs != "none":
        said = said.replace(_phrases.DATA, _phrases.INPUTS[rules.inputs])
    return said if root in sys.stdlib_module_names else f"{_why(name)}; {said}"


def lacking(name: str, rules: _rules.Rules) -> str:
    """Return the whole sentence about a package that a library would have."""
    said = package(name, rules) or f"{_why(name)}; use another function"
    return f"{name[:_LONGEST_NAME]!r} is not available: {said}"


def is_in_image(name: str) -> bool:
    """Tell whether the package of a module is where Python would look for it."""
    root = name.partition(".")[0]
    if not root.isidentifier() or len(root) > _LONGEST_NAME:
        return False
    if root in sys.stdlib_module_names:
        return True
    return _is_there(root)


def _is_there(path: str) -> bool:
    return any(os.path.exists(f"{directory}/{path}{ending}") for directory in sys.path for ending in ("", ".py"))


def _is_module(name: str) -> bool:
    """Tell whether a name of a package of the image is one of its modules."""
    return name.replace(".", "").isidentifier() and len(name) <= _LONGEST_NAME and _is_there(name.replace(".", "/"))


def _why(name: str) -> str:
    if is_in_image(name):
        return "this policy does not allow it"
    return "it is not in this image, and nothing can be installed"


def instead_of_input(rules: _rules.Rules) -> str:
    """Return where the script finds what it would ask a person for."""
    return _phrases.INPUTS.get(rules.inputs, _phrases.INPUTS["none"])


def refused_name(module: str, name: str) -> str | None:
    """Return why a name of one of the guard's own modules is not there, as a sentence, or None."""
    advice = _phrases.REFUSED.get(module, {}).get(name)
    return None if advice is None else f"{module}.{name} is not available; {advice}"


def instead_of_name(module: str, name: str, shown: list[str], rules: _rules.Rules) -> str:
    """Return what to do instead of using a name that the view of module does not show."""
    import difflib  # only a refusal needs it

    full = f"{module}.{name}"
    gone = GONE.get((module, name))
    if gone is not None:
        return gone
    if full in rules.imports:
        return f"write 'import {full}' first"
    if full in rules.left_out:
        return f"{_left_out(full, rules)}, and write 'import {full}' first"
    if name in _phrases.REFUSED.get(module, {}):
        return _phrases.REFUSED[module][name]
    alike = difflib.get_close_matches(name[:200], [each for each in shown if not each.startswith("_")], n=2, cutoff=0.75)
    if alike:
        return f"{module} has: {' or '.join(alike)}"
    if full in REACHABLE or _floor.import_is_floor(full) or _modules.moved(full, rules.imports):
        return instead_of_import(full, rules)
    if name.startswith("_"):
        return f"it is private; use what {module} documents"
    if _is_module(full):
        return f"this policy does not list the module {full}; write the script without it"
    there = name in vars(sys.modules.get(module, object))
    why = "it is not available here" if there else f"{module} has no such name here"
    return f"{why}; see dir({module.rpartition('.')[2]})"


def instead_of_star(module: str) -> str:
    """Return the sentence about a star import of a module whose names are not known beforehand."""
    module = module[:_LONGEST_NAME]
    known = {words.partition(" ")[0]: alias for alias, words in _phrases.NAMES.items() if alias != words}
    alias = known.get(module)
    write = f"'import {module} as {alias}' and {alias}.NAME" if alias else f"'import {module}' and {module}.NAME"
    return f"star imports are not available of {module!r}; write {write}, or 'from {module} import NAME, NAME'"


def instead_of_line(text: str, line: int) -> str | None:
    """Return what to do about a line that no Python could parse, if it is known."""
    lines = text.splitlines()
    begin = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    first = lines[0] if lines else ""
    if first.startswith("#!") and "python" not in first:
        return f"its first line is that of another language ({first[2:_LONGEST_NAME].strip()}); a run takes Python alone"
    known = next((advice for mark, advice in _phrases.MARKS.items() if begin.startswith(mark)), None)
    if known is None and begin.endswith("?"):
        return "a line that ends with ? asks a notebook for help; remove it"
    if known is None and _COMMAND.match(begin):
        return "what follows ! or % is a notebook's command; remove the line"
    return known
