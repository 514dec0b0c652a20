"""``getattr`` and ``setattr`` for library modules that use names which a script has given.

A library's function is a deputy: ``BaseIndexer(None, 0, **names)`` sets any attribute,
``ContrastResults(distribution=name)`` reads any. No rewriting of the script sees that.
So the modules that do it get builtins of their own in their globals: which they are says
``_sites``, made from the image. These refuse what no library reads or writes by a
computed name; the rest goes on as before.
"""

from __future__ import annotations

import builtins
import inspect
import sys
from types import FunctionType, MappingProxyType, ModuleType

from hotcell_guard import _rules
from hotcell_guard._importing import has_begun, is_loading
from hotcell_guard._ownership import is_own_class
from hotcell_guard._real import class_dict, mro
from hotcell_guard._streams import OutputStream
from hotcell_guard._sites import SITES
from hotcell_guard._wrapping import instead_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

__all__ = ["KEYWORDS", "NEEDED", "deputies", "keep_keywords"]

_STANDARD: Final = "contextlib pprint reprlib".split()
"""Modules of the standard library that read names which a script gives. Others need the refused
names themselves (enum, copy: see ``_copies``), or are judged in the inventory."""


_MAKING_CLASSES: Final = frozenset(("scipy.stats._distribution_infrastructure",))
"""Modules that make classes while the script runs, and set their attributes."""


def _needed() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = dict.fromkeys(_STANDARD, ("getattr", "setattr"))
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


def deputies(namespace: Mapping[str, object]) -> Mapping[str, Callable[..., Any]]:
    """Return what stands for builtins in the globals of library modules. namespace is the script's."""
    real_get, real_set, real_delete = builtins.getattr, builtins.setattr, builtins.delattr

    def get(obj: Any, name: str, *default: Any) -> Any:
        exact = name if type(name) is str else str.__str__(name)
        if exact in _LEADING_OUT and has_begun() and not _is_written_there(exact, namespace):
            raise AttributeError(f"{exact!r} cannot be read by that name here")
        value = real_get(obj, exact, *default)
        # A module holds others, and its name came from the script: __builtins__, os.
        if type(value) is ModuleType or (type(obj) is ModuleType and exact.startswith("_")):
            if not is_loading(obj) and not _is_written_there(exact, namespace):
                raise AttributeError(f"{exact!r} cannot be read of a module here")
        return value

    def check_writable(obj: Any, exact: str) -> None:
        kind = type(obj)
        if _rules.is_dunder(exact) and exact not in _rules.WRITABLE_DUNDERS:
            reason = f"{exact!r} cannot be set by that name here"
        elif issubclass(kind, ModuleType) or (issubclass(kind, type) and not is_own_class(obj)):
            reason = f"{exact!r} of a library's class or module cannot be set here"
        elif kind is OutputStream:
            reason = f"{exact!r} of a stream of the run cannot be set here"
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

    def namespace_of(*objects: Any) -> Any:
        """Return ``vars()`` of an object: of a class without what reads and writes any object."""
        if not objects:
            return sys._getframe(1).f_locals
        [obj] = objects
        if issubclass(type(obj), type) and not is_loading(obj):
            return MappingProxyType({name: value for name, value in class_dict(obj).items() if name not in _LEADING_OUT})
        return real_get(obj, "__dict__")

    return {"getattr": get, "setattr": put, "delattr": remove, "vars": namespace_of}


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
    return bool(code.co_flags & inspect.CO_VARKEYWORDS) and not {"__dict__", "setattr"}.isdisjoint(code.co_names)


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

