"""The docstring examples of the image's packages, one script per docstring.

Nothing is written down here but where to look: the examples are read from the
modules as they are installed, so a new version of a package brings its own.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import hashlib
import importlib
import pkgutil
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

PACKAGES = tuple("numpy pandas scipy statsmodels matplotlib mpl_toolkits plotly patsy dateutil".split())

STDLIB = tuple(
    """
    abc array base64 bisect calendar cmath collections collections.abc concurrent.futures contextlib copy
    csv dataclasses datetime decimal enum fractions functools hashlib heapq io itertools json json.decoder
    json.encoder math numbers operator os.path pathlib pprint random re statistics string struct textwrap time typing unicodedata
    uuid warnings zoneinfo
    """.split()
)

SKIPPED = frozenset("tests testing conftest setup f2py distutils sandbox examples sphinxext backends pytest".split())
"""Parts of module names: tests, build tools, and what runs on import."""

INTERNAL = frozenset(("core", "compat"))
"""Parts of module names that their packages call internal: what is documented there
belongs to public objects, but nobody is to import from there."""

LISTED = ("numpy.testing", "pandas.testing", "sys", "tempfile")
"""Not found as the others are, or public in spite of their names; policies may list them."""

GENERATED = ("plotly.graph_objs.", "plotly.validators")
"""Thousands of generated packages, whose classes plotly.graph_objects shows, too."""

_ALIASES = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "mpl": "import matplotlib as mpl",
    "sp": "import scipy as sp",
    "stats": "from scipy import stats",
    "sm": "import statsmodels.api as sm",
    "smf": "import statsmodels.formula.api as smf",
    "px": "import plotly.express as px",
    "go": "import plotly.graph_objects as go",
}
"""Names that the packages' documentation takes for granted."""

_SHOWN = "def shown(value):\n    if value is not None:\n        print(repr(value))\n"
"""What the interactive prompt does with an expression's value."""


@dataclass(frozen=True, slots=True)
class Example:
    """One docstring as a script. name is the dotted path of what it documents."""

    name: str
    source: str

    def slot(self, count: int) -> int:
        """Return a number below count that depends on the name alone."""
        return int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:4], "big") % count


def public_modules() -> list[str]:
    """Import the packages' public modules and return their names, the shortest first."""
    names = [*STDLIB, *LISTED]
    for root in PACKAGES:
        names += [root, *_below(importlib.import_module(root))]
    return sorted(names, key=lambda name: (name.count("."), name))


def _below(package: types.ModuleType) -> Iterator[str]:
    for entry in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        last = entry.name.rpartition(".")[2]
        generated = entry.ispkg and entry.name.startswith(GENERATED)
        if generated or last.startswith(("_", "test_")) or last in SKIPPED:
            continue
        module = _imported(entry.name)
        if module is not None:
            yield entry.name
            if entry.ispkg:
                yield from _below(module)


def is_internal(name: str) -> bool:
    """Tell whether scripts are not to import from the module of this name."""
    return not INTERNAL.isdisjoint(name.split("."))


def _imported(name: str) -> types.ModuleType | None:
    """Import a module, unless it needs a package that the image does not hold."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError):
        return None


def examples(modules: list[str]) -> Iterator[Example]:
    """Yield a script for each docstring that holds examples, each text once."""
    seen: set[str] = set()
    for module_name in modules:
        module = importlib.import_module(module_name)
        for name, text in _docstrings(module):
            if ">>>" in text and text not in seen:
                seen.add(text)
                source = _script(text, module)
                if source is not None:
                    yield Example(name, source)


def _docstrings(module: types.ModuleType) -> Iterator[tuple[str, str]]:
    yield from _doc(module.__name__, module)
    listed = {name for name in getattr(module, "__all__", ()) if isinstance(name, str)}
    for name in sorted(listed | {name for name in dir(module) if not name.startswith("_")}):
        value = _member(module, name)
        if isinstance(value, types.ModuleType) or not _is_at_home(value, module):
            continue
        path = f"{module.__name__}.{name}"
        yield from _doc(path, value)
        if isinstance(value, type):
            for member in sorted(n for n in dir(value) if not n.startswith("_")):
                yield from _doc(f"{path}.{member}", _member(value, member))


def _member(owner: object, name: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(owner, name, None)


def _is_at_home(value: object, module: types.ModuleType) -> bool:
    """Tell whether a module's attribute belongs to its package; C functions do not say."""
    home = getattr(value, "__module__", None)
    return not isinstance(home, str) or home.partition(".")[0].lstrip("_") == module.__name__.partition(".")[0]


def _doc(path: str, value: object) -> Iterator[tuple[str, str]]:
    text = getattr(value, "__doc__", None)
    if isinstance(text, str):
        yield path, text


def _script(text: str, module: types.ModuleType) -> str | None:
    """Join a docstring's examples, behind the names that it takes for granted."""
    try:
        parts = [_statement(each) for each in doctest.DocTestParser().get_examples(text)]
        body = "".join(parts)
        tree = ast.parse(body)
    except (ValueError, SyntaxError):
        return None
    if _imports_internals(tree):
        return None
    prelude = _prelude(tree, module)
    return prelude + (_SHOWN if "shown(" in body else "") + body


def _statement(example: doctest.Example) -> str:
    """Return an example as a script's statement: it prints what the prompt would show."""
    source = example.source
    try:
        ast.parse(source.strip(), mode="eval")
    except SyntaxError:
        pass
    else:
        source = f"shown((\n{source.strip()}\n))\n"
    if example.exc_msg is None:
        return source
    indented = "".join(f"    {line}\n" for line in source.splitlines())
    return f"try:\n{indented}except Exception as error:\n    print(type(error).__name__)\n"


def _prelude(tree: ast.Module, module: types.ModuleType) -> str:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assigned = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    read = {node.id for node in names} - assigned
    # Some examples import np only after they have used it.
    free = sorted(read & set(_ALIASES) | read - set(_defined(tree)) - set(vars(builtins)))
    return "".join(line + "\n" for line in (_import(name, module) for name in free) if line)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.alias(name=name, asname=alias):
                yield alias or name.partition(".")[0]


def _import(name: str, module: types.ModuleType) -> str:
    if name in _ALIASES:
        return _ALIASES[name]
    if _is_public(name, module):
        return f"from {module.__name__} import {name}"
    return f"import {name}" if name in STDLIB or name in PACKAGES else ""


def _is_public(name: str, module: types.ModuleType) -> bool:
    """Tell whether a reader of the documentation would import the name from the module."""
    if name.startswith("_") or is_internal(module.__name__):
        return False
    value = _member(module, name)
    if value is None or isinstance(value, types.ModuleType):
        return False
    listed = getattr(module, "__all__", None)
    return name in listed if listed is not None else getattr(value, "__module__", None) == module.__name__


def _imports_internals(tree: ast.Module) -> bool:
    """Tell whether a script imports what its package calls internal: it tests the package's inside."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                paths = [each.name for each in names]
            case ast.ImportFrom(module=str(name), names=names):
                paths = [f"{name}.{each.name}" for each in names]
            case _:
                continue
        if any(is_internal(path) or "._" in path for path in paths):
            return True
    return False
