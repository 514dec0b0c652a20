"""Modules that a policy may list and that are the guard's own: none of Python's stands behind them.

``os``, ``sys``, ``glob``, ``tempfile``, ``shutil``, ``inspect``, ``importlib`` and ``timeit`` lead everywhere, and the
guard works with the classes of ``ast``. A script
that imports one gets a module of functions that were written for it. So does whoever
imports ``os.path``, with or without ``os``.
"""

from __future__ import annotations

from hotcell_guard.granting import _ast, _glob, _importlib, _inspect, _os, _os_path, _shutil, _sys, _tempfile, _timeit
from hotcell_guard.granting._places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.granting._files import Zones

__all__ = ["StandIns"]


class StandIns:
    """The contents of the stand-ins of one run, each made when it is first asked for."""

    def __init__(
        self,
        zones: Zones,
        attributes: Attributes,
        script: str,
        leave: Callable[[object], NoReturn],
        named: Callable[[str], Any],
    ) -> None:
        """Make none yet. leave ends the run; named returns the view of a listed module."""
        places, descriptors = Places(zones), _os.Descriptors()
        environment: dict[str, str] = {}
        scratch = zones.scratch
        self._makers: Mapping[str, Callable[[Callable[[str], object]], dict[str, object]]] = {
            "ast": lambda view: _ast.contents(attributes),
            "glob": lambda view: _glob.contents(places),
            "importlib": lambda view: _importlib.contents(named, view),
            "importlib.metadata": lambda view: _importlib.metadata(named),
            "importlib.util": lambda view: _importlib.util(named),
            "inspect": lambda view: _inspect.contents(attributes),
            "os": lambda view: _os.contents(places, view("os.path"), environment, descriptors),
            "os.path": lambda view: _os_path.contents(places, environment, scratch),
            "shutil": lambda view: _shutil.contents(places, vars(view("os"))),
            "sys": lambda view: _sys.contents(script, leave, attributes.read),
            "tempfile": lambda view: _tempfile.contents(places, scratch, descriptors),
            "timeit": lambda view: _timeit.contents(),
        }

    def __contains__(self, name: str) -> bool:
        return name in self._makers

    def contents(self, name: str, view: Callable[[str], object]) -> dict[str, object]:
        """Return the names of a module with their values; view gives the view of another."""
        return self._makers[name](view)

    def changing(self, name: str) -> Mapping[str, Callable[[], Any]]:
        """Return the names whose values are asked for each time."""
        return _sys.streams() if name == "sys" else {}
