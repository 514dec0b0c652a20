"""``importlib`` for the script: an import by a name that is made at run time. No loader, no spec of Python's."""

from __future__ import annotations

from hotcell_guard.granting._namespace import SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._views import Views

    Named = Callable[[str], Any]

__all__ = ["by_name", "contents", "metadata", "util"]


def by_name(imports: frozenset[str], views: Views) -> Named:
    """Return what returns the view of a listed module, and raises ImportError for others."""

    def named(name: str) -> Any:
        if name not in imports:
            raise views.refused(name)
        return views.load(name)

    return named


class PackageNotFoundError(ModuleNotFoundError):
    """The package is not there, for this script."""


def contents(named: Named, view: Callable[[str], object]) -> dict[str, object]:
    """Return what the module holds. named returns the view of a listed module, and raises ImportError for others."""

    def import_module(name: str, package: str | None = None) -> Any:
        """Import a module that the script may import."""
        return named(_exact(name))

    return {"import_module": import_module, "util": view("importlib.util"), "metadata": view("importlib.metadata")}


def util(named: Named) -> dict[str, object]:
    """Return what importlib.util holds."""

    def find_spec(name: str, package: str | None = None) -> SimpleNamespace | None:
        """Tell whether the script can import a module: None, or what has its name."""
        exact = _exact(name)
        try:
            named(exact)
        except ImportError:
            return None
        return SimpleNamespace(name=exact, parent=exact.rpartition(".")[0], origin=None, loader=None)

    return {"find_spec": find_spec}


def metadata(named: Named) -> dict[str, object]:
    """Return what importlib.metadata holds."""

    def version(distribution_name: str) -> str:
        """Return the version of a package that the script may import."""
        exact = _exact(distribution_name)
        try:
            found = getattr(named(_MODULES.get(exact.lower(), exact.replace("-", "_"))), "__version__", None)
        except ImportError:
            found = None
        if type(found) is not str:
            raise PackageNotFoundError(f"there is no version of {exact!r} here", name=exact)
        return found

    return {"version": version, "PackageNotFoundError": PackageNotFoundError}


_MODULES: Final = {"pyyaml": "yaml", "python-dateutil": "dateutil"}


def _exact(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError("the name of a module is a str")
    exact = str.__str__(name)
    if not exact or exact.startswith("."):
        raise ImportError("a module is imported by its full name here", name=exact)
    return exact
