"""The run's ``__import__``: the rules again, and views instead of modules."""

from __future__ import annotations

import builtins
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hotcell_guard.granting._views import Views
    from hotcell_guard.vetting import _rules

__all__ = ["guarded_import"]


def guarded_import(rules: _rules.Rules, views: Views) -> Callable[..., object]:
    """Make the run's ``__import__``."""
    real = builtins.__import__

    def __import__(  # noqa: A001, N807  # it takes the builtin's place
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = None,
        level: int = 0,
    ) -> object:
        if type(fromlist) is list:
            # PyImport_Import: native code that the script called directly needs a
            # module of its own (datetime.strptime imports _strptime). It finds it
            # in sys.modules; nothing is handed out.
            real(str.__str__(name))
            return None
        if level != 0:
            raise ImportError("relative imports are not available")
        name = str.__str__(name)
        names = tuple(str.__str__(item) for item in fromlist or ())
        if name == "__future__":
            return real(name, None, None, names, 0)
        if names:
            return _members(views, name, names)
        if name not in rules.imports:
            raise views.refused(name)
        return views.root(name)

    return __import__


def _members(views: Views, module: str, names: tuple[str, ...]) -> types.SimpleNamespace:
    """Return an object that holds the names and nothing else, for IMPORT_FROM.

    Not the view: where a name is missing, the interpreter takes the real module
    ``module.name`` from sys.modules, and a script can delete a name from a view
    between two of the names that it imports (with a generator's finally).
    """
    return types.SimpleNamespace(**{name: views.member(module, name) for name in names})
