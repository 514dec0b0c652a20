"""``getattr`` and ``setattr`` for library modules that use names which a script has given.

A library's function is a deputy: ``BaseIndexer(None, 0, **names)`` sets any attribute,
``ContrastResults(distribution=name)`` reads any. No rewriting of the script sees that.
So the modules that do it get builtins of their own in their globals: which they are says
``_sites``, made from the image. These refuse what no library reads or writes by a
computed name; the rest goes on as before.
"""

from __future__ import annotations

import builtins
import sys
from types import FunctionType, MappingProxyType, ModuleType

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._ownership import is_internal
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._importing import has_begun, is_loading
from hotcell_guard.libraries._sites import SITES
from hotcell_guard.speaking._streams import OutputStream
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["KEYWORDS", "NEEDED", "Deputies", "ScriptNames", "keep_keywords"]

_HAS_KEYWORDS: Final = 0x08
"""CO_VARKEYWORDS of a code object's flags. inspect has it, and takes as long to import as all of this subpackage."""

_STANDARD: Final = (
    "argparse configparser contextlib email.generator email.message plistlib pprint reprlib tarfile unittest.case "
    "unittest.loader unittest.main unittest.runner unittest.suite xml.dom.xmlbuilder"
).split()
"""Modules of the standard library that read names which a script gives. Others need the refused
names themselves (enum, copy: see ``_makers``, ``_copies``), or are judged in the inventory."""


_MAKING_CLASSES: Final = frozenset(("scipy.stats._distribution_infrastructure",))
"""Modules that make classes while the script runs, and set their attributes."""


def _needed() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = dict.fromkeys(_STANDARD, ("getattr", "setattr"))
    found["argparse"] = (*found["argparse"], "vars")  # what a parser of a command answers is poured into a namespace
    for name in ("getattr", "setattr", "delattr", "vars"):
        for module in SITES[name]:
            if module not in _MAKING_CLASSES or name == "getattr":
                found[module] = (*found.get(module, ()), name)
    return found


NEEDED: Final = _needed()
"""The builtins that each module gets a checked form of."""

KEYWORDS: Final = (
    "numpy._core.getlimits scipy.integrate._quad_vec scipy.interpolate._fitpack_repro scipy.interpolate._rbf "
    "scipy.signal._ltisys pandas.core.indexers.objects statsmodels.base._constraints "
    "statsmodels.base._prediction_inference statsmodels.base._screening statsmodels.base.data "
    "statsmodels.base.model statsmodels.base.wrapper statsmodels.discrete.discrete_model "
    "statsmodels.genmod.generalized_estimating_equations statsmodels.graphics.functional "
    "statsmodels.regression.linear_model statsmodels.stats._diagnostic_other statsmodels.stats.base "
    "statsmodels.stats.contrast statsmodels.stats.meta_analysis statsmodels.stats.power "
    "statsmodels.treatment.treatment_effects statsmodels.tools.testing"
).split()
"""Modules with classes that keep what keyword arguments give them under the names given."""

_LEADING_OUT: Final = _rules.INTERPRETER_ATTRIBUTES | frozenset(
    """
    __globals__ __builtins__ __code__ __closure__ __self__ __subclasses__ __mro__ __bases__ __base__
    __dict__ __getattribute__ __setattr__ __delattr__ __reduce__ __reduce_ex__ __traceback__ __loader__ __spec__
    """.split()
)


class Deputies:
    """Makes what stands for builtins in the globals of library modules, one set for each package.

    A text that a script chose can name whatever Python has. So by a name that the asking
    function does not hold itself a library reaches private attributes of its own package's
    objects only, and special methods as the script could read them: namespace is the
    script's globals, getter its ``getattr``.
    """

    def __init__(self, namespace: Mapping[str, object], getter: Callable[..., Any]) -> None:
        self._namespace = namespace
        self._getter = getter
        self._made: dict[str, Mapping[str, Callable[..., Any]]] = {}

    def of(self, module: str) -> Mapping[str, Callable[..., Any]]:
        """Return ``getattr``, ``setattr``, ``delattr`` and ``vars`` for a module, by its name."""
        package = _package(module)
        if package not in self._made:
            own: set[type] = set()
            belongs = _membership(package, own)
            namespaces = _namespaces(belongs, own)
            put, remove = _setters(self._namespace, belongs)
            read = _reader(self._namespace, self._getter, belongs, own, namespaces)
            self._made[package] = {"getattr": read, "setattr": put, "delattr": remove, "vars": namespaces}
        return self._made[package]


def _reader(
    namespace: Mapping[str, object],
    getter: Callable[..., Any],
    belongs: Callable[[Any], bool],
    own: set[type],
    namespaces: Callable[..., Any],
) -> Callable[..., Any]:
    real_get = builtins.getattr

    def get(obj: Any, name: str, *default: Any) -> Any:
        exact = name if type(name) is str else str.__str__(name)
        if exact in _LEADING_OUT:
            if has_begun() and not _is_written_there(exact, namespace):
                raise AttributeError(f"{exact!r} cannot be read by that name here")
        elif exact == "obj" and has_begun() and issubclass(type(obj), AttributeError):
            return _as_the_script(getter, obj, exact, *default)
        elif type(obj) in own and not exact.startswith("__"):
            pass
        elif exact.startswith("_") and has_begun() and (_rules.is_dunder(exact) or not belongs(obj)):
            if not is_loading(obj) and not _is_written_there(exact, namespace):
                return _as_the_script(getter, obj, exact, *default)
        value = real_get(obj, exact, *default)
        if exact == "__dict__" and hasattr(obj, exact):
            return namespaces(obj)
        # A module holds others, and its name came from the script: __builtins__, os.
        if type(value) is ModuleType or (type(obj) is ModuleType and exact.startswith("_")):
            if not is_loading(obj) and not _is_written_there(exact, namespace):
                raise AttributeError(f"{exact!r} cannot be read of a module here")
        return value

    return get


def _as_the_script(getter: Callable[..., Any], obj: Any, name: str, *default: Any) -> Any:
    """Read an attribute that a text has named as the script could. What it could not is not there."""
    try:
        return getter(obj, name, *default)
    except AttributeError:
        if not default:
            raise
        return default[0]


def _setters(
    namespace: Mapping[str, object], belongs: Callable[[Any], bool]
) -> tuple[Callable[[Any, str, Any], None], Callable[[Any, str], None]]:
    real_set, real_delete = builtins.setattr, builtins.delattr

    def check_writable(obj: Any, exact: str) -> None:
        kind = type(obj)
        if _rules.is_dunder(exact) and exact not in _rules.WRITABLE_DUNDERS:
            reason = f"{exact!r} cannot be set by that name here"
        elif issubclass(kind, ModuleType) or (issubclass(kind, type) and not is_own_class(obj)):
            reason = f"{exact!r} of a library's class or module cannot be set here"
        elif kind is OutputStream:
            reason = f"{exact!r} of a stream of the run cannot be set here"
        elif (exact.startswith("_") or hasattr(kind, "__get__")) and has_begun() and not belongs(obj):
            what = "of a library's function or property" if hasattr(kind, "__get__") else "is private; it"
            reason = f"{exact!r} {what} cannot be set by that name here"
        else:
            return
        if not is_loading(obj) and not _is_written_there(exact, namespace, 3):
            raise AttributeError(reason)

    def put(obj: Any, name: str, value: Any) -> None:
        exact = name if type(name) is str else str.__str__(name)
        check_writable(obj, exact)
        real_set(obj, exact, value)

    def remove(obj: Any, name: str) -> None:
        exact = name if type(name) is str else str.__str__(name)
        check_writable(obj, exact)
        real_delete(obj, exact)

    return put, remove


def _namespaces(belongs: Callable[[Any], bool], own: set[type]) -> Callable[..., Any]:
    real_get = builtins.getattr

    def namespace_of(*objects: Any) -> Any:
        """Return ``vars()`` of an object: of a class without what reads and writes any object.

        A library that pours another object's namespace into one of a script's class
        (``self.__dict__.update(other.__dict__)``) gets of a foreign object public names only.
        """
        if not objects:
            return sys._getframe(1).f_locals
        [obj] = objects
        if type(obj) not in own:
            if not has_begun() or is_loading(obj):
                return real_get(obj, "__dict__")
            if issubclass(type(obj), type):
                return _of_class(obj, belongs(obj))
            if issubclass(type(obj), ModuleType):
                return _of_module(obj)
        held = real_get(obj, "__dict__")
        if type(obj) not in own and not belongs(obj):
            return {name: value for name, value in held.items() if _is_public(name) and not is_internal(value)}
        for value in held.values():
            if type(value) is ModuleType and _is_real(value):
                return {name: value for name, value in held.items() if not is_internal(value)}
        return held

    return namespace_of


def _of_class(kind: type, belongs: bool) -> Mapping[str, Any]:
    """Return a class's namespace without what reads and writes any object; of a library's without its inner functions."""
    shown = {name: value for name, value in class_dict(kind).items() if name not in _LEADING_OUT}
    if not is_own_class(kind):
        shown = {name: value for name, value in shown.items() if not name.startswith("_") or type(value) is not FunctionType}
        if not belongs:
            shown = {name: value for name, value in shown.items() if not _rules.is_private(name)}
    return MappingProxyType(shown)


def _of_module(module: ModuleType) -> dict[str, Any]:
    """Return a copy of a module's namespace, of a library's what is public and leads to no other module."""
    held = vars(module).items()
    if vars(module).get("__name__") == "__main__":
        return ScriptNames((name, value) for name, value in held if not name.startswith("__"))
    ours = {*NEEDED.get(vars(module).get("__name__", ""), ())}
    return {name: value for name, value in held if _is_public(name) and name not in ours and not is_internal(value)}


class ScriptNames(dict):  # type: ignore[type-arg]  # no typing at run time
    """A copy of the script's globals for a library that looks for types there."""

    __slots__ = ()


def _is_public(name: object) -> bool:
    return type(name) is str and not name.startswith("_")


_FAMILIES: Final = {
    "mpl_toolkits": "matplotlib", "pylab": "matplotlib", "_plotly_utils": "plotly", "pydantic_core": "pydantic",
}  # fmt: skip
_MAX_KNOWN: Final = 2048
_module_of: Final = vars(type)["__module__"].__get__


def _is_real(module: ModuleType) -> bool:
    """Tell a module from a view, which has the name of what it stands for."""
    return sys.modules.get(vars(module).get("__name__")) is module  # type: ignore[arg-type]


def _package(module: object) -> str:
    """Return the package that a module belongs to, by its name; some share one."""
    name = module.partition(".")[0] if type(module) is str else ""
    return _FAMILIES.get(name, name)


def _membership(package: str, own: set[type]) -> Callable[[Any], bool]:
    """Return what tells whether an object is the package's own, or all the script's. own holds the classes of those known.

    One of a script's class with bases in libraries is when they are all of this package: what the others
    keep in it is theirs.
    """
    foreign: set[type] = set()

    def belongs(obj: Any) -> bool:
        kind = type(obj)
        if issubclass(kind, type):
            return _are_of(mro(obj), package)
        if kind is FunctionType:
            return _package(obj.__globals__.get("__name__")) in (package, "__main__")
        if issubclass(kind, ModuleType):
            return _package(vars(obj).get("__name__")) == package and _is_real(obj)
        if kind in own or kind in foreign or issubclass(kind, super):  # which answers for another class
            return kind in own
        known = own if _are_of(mro(kind), package) else foreign
        if len(known) >= _MAX_KNOWN:
            known.clear()
        known.add(kind)
        return known is own

    return belongs


def _are_of(bases: tuple[type, ...], package: str) -> bool:
    theirs = [_package(_module_of(base)) for base in bases if not is_own_class(base)]
    if len(theirs) == len(bases):
        return package in theirs
    return all(each == package or each in _WITHOUT_SECRETS for each in theirs)


_WITHOUT_SECRETS: Final = frozenset("builtins abc typing collections numbers enum dataclasses".split())
"""Where the bases of a script's class keep nothing private in its objects that leads anywhere."""


def _is_written_there(name: str, namespace: Mapping[str, object], depth: int = 2) -> bool:
    """Tell whether the library's function that calls the deputy has the name as a constant of its own.

    ``getattr(obj, "__dict__")`` calls the deputy, too, where the same module computes other names.
    """
    frame = sys._getframe(depth)
    return frame.f_globals is not namespace and name in frame.f_code.co_consts


def keep_keywords(module: Any) -> None:
    """Let the module's classes take keyword arguments for themselves only, and no special names.

    Their initialisers are functions like any other: given another object they would set
    its private state.
    """
    for kind in [each for each in vars(module).values() if isinstance(each, type)]:
        original = class_dict(kind).get("__init__")
        if kind.__module__ == module.__name__ and type(original) is FunctionType and _keeps_keywords(original):
            kind.__init__ = _checked_initialiser(kind, original)  # type: ignore[misc]


def _keeps_keywords(function: FunctionType) -> bool:
    code = function.__code__
    return bool(code.co_flags & _HAS_KEYWORDS) and not {"__dict__", "setattr"}.isdisjoint(code.co_names)


def _checked_initialiser(kind: type, original: Callable[..., None]) -> Callable[..., None]:
    @instead_of(original)
    def __init__(self: Any, *args: Any, **named: Any) -> None:  # noqa: N807
        if kind not in mro(type(self)):
            raise TypeError(f"__init__ of {kind.__name__!r} takes one of its own objects")
        for name in named:
            if type(name) is not str or name.startswith("__"):
                raise TypeError(f"{name!r} cannot be a keyword argument here")
        original(self, *args, **named)

    return __init__
