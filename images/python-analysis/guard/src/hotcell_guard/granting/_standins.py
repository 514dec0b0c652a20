"""Modules that a policy may list and that are the guard's own: none of Python's stands behind them.

``os``, ``sys``, ``glob``, ``tempfile``, ``shutil``, ``inspect``, ``importlib``, ``gc`` and
``timeit`` lead everywhere, the guard works with the classes of ``ast``, and SQLite opens
files, joblib starts processes. A script that imports one gets a module of functions that were written for it. So does whoever
imports ``os.path``, with or without ``os``.
"""

from __future__ import annotations

from hotcell_guard.granting import (
    _ast,
    _doctest,
    _gc,
    _getpass,
    _glob,
    _importlib,
    _inspect,
    _joblib,
    _os,
    _os_path,
    _shutil,
    _signal,
    _sys,
    _tarfile,
    _tempfile,
    _timeit,
    _tracemalloc,
)
from hotcell_guard.granting._namespace import Modules
from hotcell_guard.granting._places import Places
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import Any, Final, NoReturn

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.granting._files import Zones

__all__ = ["StandIns"]

_SHOWN: Final = (_rules.BUILTINS | _rules.GUARDED_BUILTINS | {"eval", "exec", "compile"}) - {"__build_class__", "__import__"}


class StandIns:
    """The contents of the stand-ins of one run, each made when it is first asked for."""

    def __init__(
        self,
        zones: Zones,
        attributes: Attributes,
        script: str,
        leave: Callable[[object], NoReturn],
        named: Callable[[str], Any],
        made: Callable[[], dict[str, ModuleType]] = dict,
        main: ModuleType | None = None,
    ) -> None:
        """Make none yet. leave ends the run; named returns the view of a listed module, made those that there are.

        main is the script's own module.
        """
        places, descriptors = Places(zones), _os.Descriptors()
        environment: dict[str, str] = {}
        scratch, streams, exits = zones.scratch, attributes.streams, attributes.exits
        self._attributes, self._made = attributes, made
        self._name, self._argv = script, [script]
        self._own = {} if main is None else {"__main__": main}
        self._makers: Mapping[str, Callable[[Callable[[str], object]], dict[str, object]]] = {
            "ast": lambda view: _ast.contents(attributes),
            "atexit": lambda view: exits.contents(),
            "builtins": lambda view: {name: value for name, value in attributes.builtins.items() if name in _SHOWN},
            "doctest": lambda view: _doctest.contents(main, attributes.example, attributes.ownership.is_own, lambda: self._name),
            "gc": lambda view: _gc.contents(),
            "getpass": lambda view: _getpass.contents(attributes.streams.asking("put the value into the script")),
            "glob": lambda view: _glob.contents(places),
            "importlib": lambda view: _importlib.contents(named, view),
            "importlib.metadata": lambda view: _importlib.metadata(named),
            "importlib.util": lambda view: _importlib.util(named),
            "inspect": lambda view: _inspect.contents(attributes),
            "joblib": lambda view: _joblib.contents(),
            "os": lambda view: _os.contents(places, view("os.path"), environment, descriptors),
            "os.path": lambda view: _os_path.contents(places, environment, scratch),
            "shutil": lambda view: _shutil.contents(places, vars(view("os")), zones.endings.look),
            "sys": lambda view: _sys.contents(self._argv, leave, attributes.read, streams.stdin),
            "signal": lambda view: _signal.contents(),
            "sqlite3": lambda view: _sqlite(),
            "tarfile": lambda view: _tarfile.contents(places, vars(view("os")), attributes.builtins.get("open", open)),
            "tempfile": lambda view: _tempfile.contents(places, scratch, descriptors),
            "timeit": lambda view: _timeit.contents(attributes.caller),
            "tracemalloc": lambda view: _tracemalloc.contents(),
        }

    def __contains__(self, name: str) -> bool:
        return name in self._makers

    def rename(self, script: str) -> None:
        """Take in the script's name, which a guard that has prepared before there was a run learns with it."""
        self._name, self._argv[:] = script, [script]

    def contents(self, name: str, view: Callable[[str], object]) -> dict[str, object]:
        """Return the names of a module with their values; view gives the view of another."""
        return self._makers[name](view)

    def changing(self, name: str) -> Mapping[str, Callable[[], Any]]:
        """Return the names whose values are asked for each time."""
        return {**self._attributes.streams.readers(), "modules": self._modules} if name == "sys" else {}

    def _modules(self) -> Modules:
        """Return the modules that the script has so far, and itself: a copy."""
        return Modules({**self._made(), **self._own})

    def made(self, name: str, view: ModuleType) -> None:
        """Take in the view of a module: the script may put streams of its own into that of sys."""
        if name == "sys":
            self._attributes.streams.view = view


def _sqlite() -> dict[str, object]:
    from hotcell_guard.granting import _sqlite as sqlite  # only who imports it needs SQLite

    return sqlite.contents()
