"""Modules as the script sees them: copies that hold public, authorised names only.

A real module leads to others (``random._os``, ``pd.io.common.os``), to the loader
that made it and to all its globals. So the script never holds one. It holds a view: a
module object of its own whose dict has been filled with what may be shown, so that
reading an attribute costs what it costs on any module. A script cannot change a view
(``_attributes``); if it could, the library would not notice.
"""

from __future__ import annotations

import builtins
import io
import sys

from hotcell_guard.granting import _shown, _types
from hotcell_guard.vetting import _floor, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType
    from typing import Any, Final

    from hotcell_guard.granting._standins import StandIns

__all__ = ["Views", "is_dangerous"]

_Module = type(builtins)
_ABSENT: Final = object()

_DUNDERS: Final = frozenset(("__version__", "__doc__", "__author__"))

_GUARDED: Final = frozenset(
    id(value)
    for value in (
        *(getattr(builtins, name) for name in "compile eval exec getattr setattr delattr hasattr vars dir".split()),
        *(getattr(builtins, name) for name in "globals locals open input breakpoint __import__".split()),
        io.open_code,
        io.FileIO,
    )
)
"""Functions that are dangerous under whatever name a library re-exports them.

By identity: they live as long as the interpreter, so no other object has their id."""

_ALIASES: Final = {"posixpath": "os.path", "genericpath": "os.path"}
_CONTAINERS: Final = (dict, list, tuple, set, frozenset)
_PLAIN: Final = frozenset((str, int, float, bool, bytes, type(None)))
_MAX_CONTAINER: Final = 4096
"""Items looked at in a container that a module holds; a larger one is not shown."""


class Views:
    """All views of one run: one for each module, made when it is first asked for."""

    def __init__(self, rules: _rules.Rules, imported: Callable[[], None]) -> None:
        """Make no view yet; imported is called after each import, before its names are shown."""
        self._rules = rules
        self._replacements: Mapping[str, Mapping[str, object]] = {}
        self._stand_ins: StandIns | None = None
        self._imported = imported
        self._views: dict[str, ModuleType] = {}
        self._loaded: set[str] = set()
        self._children = _children(rules.imports)
        self._shown = _with_facets(rules.imports)

    def replace(self, replacements: Mapping[str, Mapping[str, object]], stand_ins: StandIns) -> None:
        """Set what is shown instead of a module's own, and instead of whole modules, before the first view is made."""
        if self._views:
            raise ValueError("replacements come before the first view")
        self._replacements = replacements
        self._stand_ins = stand_ins
        self._replace_everywhere()

    def _replace_everywhere(self) -> None:
        """Let the replacements stand for the originals by identity: other modules re-export them."""
        for module, name in [(module, name) for module, names in self._replacements.items() for name in names]:
            original = vars(sys.modules[module]).get(name) if module in sys.modules else None  # and make none
            if callable(original):
                _types.replace(original, self._replacements[module][name])

    def load(self, name: str) -> ModuleType:
        """Import a listed module and return its view. Raises ImportError as Python does."""
        if self._is_own(name):
            return self._package(name)
        if name not in sys.modules or name not in self._loaded:
            builtins.__import__(name)
            self._imported()
            self._replace_everywhere()
            self._loaded.add(name)
        return self._package(name)

    def make_ahead(self) -> None:
        """Make the views of the listed packages that are loaded, as an import of each would.

        Not of what is below them: a script finds that in a package's view once it has imported it, and not before.
        """
        for name in sorted(self._rules.imports):
            if "." not in name and name in sys.modules:
                self.load(name)

    def root(self, name: str) -> ModuleType:
        """Import the module and return the view of its first part, as ``import a.b`` binds it."""
        view = self.load(name)
        root = name.partition(".")[0]
        return view if root == name else self._package(root)

    def member(self, module: str, name: str) -> object:
        """Return what ``from module import name`` binds. Raises ImportError with advice."""
        full = f"{module}.{name}"
        listed = module in self._rules.imports
        if not listed and full not in self._rules.imports:
            raise self.refused(module)
        value = getattr(self.load(module), name, _ABSENT) if listed else _ABSENT
        if full in self._rules.imports and (value is _ABSENT or isinstance(value, _Module)):
            return self.load(full)
        if value is _ABSENT:
            raise ImportError(f"{name!r} may not be imported from {module!r}; {self._instead(module, name)}", name=module)
        return value

    def refused(self, module: str) -> ImportError:
        """Return what an import of a module raises that is not listed: it is not there, for this script."""
        from hotcell_guard.vetting import _advice  # only a refusal needs it

        advice = _advice.instead_of_import(module, self._rules)
        return ModuleNotFoundError(f"{module!r} may not be imported; {advice}", name=module)

    def made(self) -> dict[str, ModuleType]:
        """Return the views that there are of listed modules."""
        return {name: view for name, view in self._views.items() if name in self._rules.imports}

    def missing_name_advice(self, error: BaseException) -> str | None:
        """Return what to use instead when the error is an attribute that a view lacks."""
        if type(error) is not AttributeError:
            return None
        holder = next((name for name, view in self._views.items() if view is error.obj), None)
        if holder is None or not isinstance(error.name, str):
            return None
        return self._instead(holder, error.name)

    def _package(self, name: str) -> ModuleType:
        """Return the view of a module that is loaded, reachable from those of the packages above."""
        parent, _, own = name.rpartition(".")
        above = self._package(parent) if parent else None
        if name in self._shown and self._is_own(name):
            view = self._own(name)
        elif name in self._shown:
            real = sys.modules[name]
            view = self._view(_canonical(name, real), real)
        else:
            view = self._views.get(name) or self._empty(name)
        if above is not None:
            vars(above).setdefault(own, view)
        return view

    def _empty(self, name: str) -> ModuleType:
        """Make the view of a package that is not listed itself, only modules below it."""
        view = self._views[name] = _Module(name)
        _strip(view)
        return view

    def _view(self, name: str, real: ModuleType) -> ModuleType:
        view = self._views.get(name)
        if view is not None:
            return view
        if self._is_own(name):
            return self._own(name)
        told = vars(real).get("__doc__")
        view = self._views[name] = _Module(name, told if type(told) is str else None)
        _strip(view)
        self._shown |= _with_facets([name])
        names = self._names(name, real)
        lazy = _Lazy(self, name, real, view)
        listed = _shown.ONLY.get(name) or vars(real).get("__all__", ())
        for each in names:
            value = vars(real).get(each, _ABSENT)
            if value is _ABSENT or (lazy.possible and isinstance(value, _Module)):
                lazy.later(each, value)
                continue
            value = self._authorised(name, each, value)
            if value is not _ABSENT and (each in listed or not _is_lent(value)):
                vars(view)[each] = value
        vars(view).update(self._replacements.get(name, {}))
        if lazy.names:
            vars(view)["__getattr__"], vars(view)["__dir__"] = lazy.functions()
        return view

    def _is_own(self, name: str) -> bool:
        """Tell whether a module is the guard's own, whatever Python calls so."""
        return self._stand_ins is not None and name in self._stand_ins

    def _own(self, name: str) -> ModuleType:
        """Return the guard's own module of that name."""
        view = self._views.get(name)
        if view is not None or self._stand_ins is None:
            return view or self._empty(name)
        vars(view := self._empty(name)).update(self._stand_ins.contents(name, self._own))
        changing = self._stand_ins.changing(name)
        if changing:
            vars(view)["__getattr__"], vars(view)["__dir__"] = _asked(changing, view)
        self._stand_ins.made(name, view)
        return view

    def _names(self, name: str, real: ModuleType) -> set[str]:
        """Return the names that the module makes public."""
        only = _shown.ONLY.get(name)
        facets = _shown.FACETS.get(name, frozenset())
        if only is not None:
            return set(only | facets | (_DUNDERS & vars(real).keys()))
        unlisted = any(name == each or name.startswith(f"{each}.") for each in _shown.UNLISTED)
        public = None if unlisted else vars(real).get("__all__")
        # Some of statsmodels list functions instead of their names.
        names = {str.__str__(each) for each in (vars(real) if public is None else public) if isinstance(each, str)}
        names = {each for each in names if not each.startswith("_") or each in _DUNDERS}
        children = self._children.get(name) or set()
        own = _shown.EXTRA.get(name, frozenset())
        hidden = _shown.HIDDEN.get(name, frozenset()) - own
        version = _DUNDERS & vars(real).keys()
        return (names | own | facets | children | version) - hidden

    def _authorised(self, module: str, name: str, value: object) -> object:
        """Return value as the script may have it, or _ABSENT."""
        if isinstance(value, _Module):
            return self._submodule(module, name, value)
        if name not in _DUNDERS and _rules.attribute_refusal(name, self._rules) is not None:
            return _ABSENT
        if hasattr(builtins, name) and _is_ours(value):
            return _ABSENT  # what the guard gave the module in a builtin's place is the module's
        return _ABSENT if is_dangerous(value) else _types.shown(value)

    def _submodule(self, module: str, name: str, value: ModuleType) -> object:
        full = f"{module}.{name}"
        target = _canonical(full, value)
        return self._view(target, value) if full in self._shown or target in self._shown else _ABSENT

    def _instead(self, module: str, name: str) -> str:
        from hotcell_guard.vetting import _advice  # only a refusal needs it

        return _advice.instead_of_name(module, name, sorted({*dir(self._views[module])} - {name}), self._rules)


class _Lazy:
    """The names of one module that exist only when they are asked for."""

    __slots__ = ("_module", "_real", "_view", "_views", "names")

    def __init__(self, views: Views, module: str, real: ModuleType, view: ModuleType) -> None:
        self._views = views
        self._module = module
        self._real = real
        self._view = view
        self.names: set[str] = set()

    @property
    def possible(self) -> bool:
        """Tell whether the module itself makes names when they are asked for."""
        return "__getattr__" in vars(self._real)

    def later(self, name: str, value: object) -> None:
        """Remember a name that the module does not hold yet, or a module of which no view is made yet."""
        full = f"{self._module}.{name}"
        is_module = isinstance(value, _Module)
        target = _canonical(full, value) if isinstance(value, _Module) else full
        shown = full in self._views._shown or target in self._views._shown
        if shown or (self.possible and not is_module):
            self.names.add(name)

    def functions(self) -> tuple[Callable[[str], object], Callable[[], Iterable[str]]]:
        """Return the view's ``__getattr__`` and ``__dir__``. Their closures are not reachable."""
        names, view, module = self.names, self._view, self._module

        def __getattr__(name: str) -> object:
            if name in names:
                value = self._fetch(name)
                if value is not _ABSENT:
                    vars(view)[name] = value
                    return value
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=view)

        def __dir__() -> Iterable[str]:
            return [each for each in {*vars(view), *names} if not each.startswith("__")]

        return __getattr__, __dir__

    def _fetch(self, name: str) -> object:
        try:
            value = getattr(self._real, name)
        except AttributeError:
            full = f"{self._module}.{name}"
            if full not in self._views._shown:
                return _ABSENT
            try:
                builtins.__import__(full)
            except ImportError:
                return _ABSENT
            value = sys.modules[full]
        self._views._imported()
        self._views._replace_everywhere()
        return self._views._authorised(self._module, name, getattr(self._real, name, value))


def _asked(
    changing: Mapping[str, Callable[[], Any]], view: ModuleType
) -> tuple[Callable[[str], object], Callable[[], Iterable[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a view some of whose values change."""

    def __getattr__(name: str) -> object:
        if name in changing:
            return changing[name]()
        raise AttributeError(f"module {view.__name__!r} has no attribute {name!r}", name=name, obj=view)

    def __dir__() -> Iterable[str]:
        return [each for each in {*vars(view), *changing} if not each.startswith("__")]

    return __getattr__, __dir__


def _children(names: Iterable[str]) -> dict[str, set[str]]:
    """Return the listed modules of each package, without its name."""
    children: dict[str, set[str]] = {}
    for name in names:
        package, _, own = name.rpartition(".")
        children.setdefault(package, set()).add(own)
    return children


def _with_facets(names: Iterable[str]) -> set[str]:
    """Return these modules and all that belong to their interfaces, whichever view is made first."""
    shown: set[str] = set()
    found = {*names, *(name.partition(".")[0] for name in names if _shows_root(name))}
    while found:
        shown |= found
        found = {f"{name}.{each}" for name in found for each in _shown.FACETS.get(name, ())} - shown
    return shown


def _shows_root(name: str) -> bool:
    """Tell whether a module's own package belongs to its interface: ``plt.matplotlib``."""
    return name.partition(".")[0] in _shown.FACETS.get(name, frozenset())


def _canonical(name: str, real: ModuleType) -> str:
    """Return the one name under which the tables know a module: ``np.emath`` is numpy.lib.scimath."""
    own = vars(real).get("__name__")
    if type(own) is not str or sys.modules.get(own) is not real:
        return name
    return _ALIASES.get(own, own)


def _strip(view: ModuleType) -> None:
    """Leave nothing of the import system in a view."""
    for name in ("__loader__", "__spec__", "__package__"):
        vars(view).pop(name, None)


def is_dangerous(value: object) -> bool:
    """Tell whether value gives what no script may have, by what it is, not by its name."""
    if id(value) in _GUARDED or _is_foreign(value):
        return True
    if not isinstance(value, _CONTAINERS):
        return False
    if len(value) > _MAX_CONTAINER:
        return True
    # As the base class iterates: matplotlib's rcParams do more when they are asked.
    items = [*dict.keys(value), *dict.values(value)] if isinstance(value, dict) else value
    held = (each for each in items if type(each) not in _PLAIN)
    return any(isinstance(each, _Module) or id(each) in _GUARDED or _is_foreign(each) for each in held)


def _is_foreign(value: object) -> bool:
    """Tell whether value was made by a module that no policy can allow.

    A function or class says so itself, of another object its class does.
    """
    kind = type(value)
    home = getattr(value, "__module__", None)
    if not isinstance(value, type) and not callable(value):
        home = kind.__module__
    if not isinstance(home, str):
        home = kind.__module__
    home = _ALIASES.get(home, home.lstrip("_"))  # what _ctypes makes is what ctypes makes
    root = home.partition(".")[0]
    ours = _is_ours(value)  # what the guard has put in a library's place
    return root in _floor.DENIED_IMPORTS and root != "builtins" and home not in _floor.IMPORT_EXCEPTIONS and not ours


def _is_lent(value: object) -> bool:
    """Tell whether a function or class comes from a submodule of the floor: its users import it by its name."""
    home = getattr(value, "__module__", None) if callable(value) else None
    if not isinstance(home, str) or home.startswith("_") or "._" in home:
        return False  # whoever has it says what it is for
    return _floor.import_is_floor(home) and not _is_ours(value)


def _is_ours(value: object) -> bool:
    home = getattr(value, "__module__", None)
    return isinstance(home, str) and home.partition(".")[0] == __name__.partition(".")[0]
