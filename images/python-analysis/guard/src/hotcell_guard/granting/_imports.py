"""The run's ``__import__``: the rules again, and views instead of modules."""

from __future__ import annotations

import builtins
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hotcell_guard.granting._views import Views
    from hotcell_guard.vetting import _rules

__all__ = ["by_name", "guarded_import"]


def guarded_import(rules: _rules.Rules, views: Views, main: types.ModuleType | None = None) -> Callable[..., object]:
    """Make the run's ``__import__``. main is the script's own module as it may look at it."""
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
        if names and name == "__main__" and main is not None:
            return types.SimpleNamespace(**{each: _own(main, each) for each in names})
        if names:
            return _members(views, name, names)
        if name not in rules.imports:
            raise views.refused(name)
        return views.root(name)

    return __import__


def by_name(importer: Callable[..., object]) -> Callable[..., object]:
    """Make the ``__import__`` that the script itself calls: it gives what the import statement binds, and no more."""

    def __import__(  # noqa: A001, N807  # it takes the builtin's place
        name: str,
        globals: object = None,  # noqa: A002
        locals: object = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> object:
        """Import a module that the script may import."""
        if not isinstance(name, str):
            raise TypeError("the name of a module is a str")
        exact = str.__str__(name)
        found = importer(exact, None, None, (), int.__index__(level))
        for part in exact.split(".")[1:] if fromlist else ():
            found = vars(found)[part]
        return found

    return __import__


def _own(main: types.ModuleType, name: str) -> object:
    if name not in dir(main):
        raise ImportError(f"cannot import name {name!r} from '__main__'", name="__main__")
    return getattr(main, name)


def _members(views: Views, module: str, names: tuple[str, ...]) -> types.SimpleNamespace:
    """Return an object that holds the names and nothing else, for IMPORT_FROM.

    Not the view: where a name is missing, the interpreter takes the real module
    ``module.name`` from sys.modules, and a script can delete a name from a view
    between two of the names that it imports (with a generator's finally).
    """
    return types.SimpleNamespace(**{name: views.member(module, name) for name in names})
