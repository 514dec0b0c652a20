"""``getattr`` and ``setattr`` for library modules that use names which a script has given.

A library's function is a deputy: ``BaseIndexer(None, 0, **names)`` sets any attribute,
``ContrastResults(distribution=name)`` reads any. No rewriting of the script sees that.
So the modules that do it get builtins of their own in their globals. These refuse what
no library reads or writes by a computed name; the rest goes on as before.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
from types import FunctionType, ModuleType

from hotcell_guard import _rules
from hotcell_guard._ownership import is_own_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType
    from typing import Any, Final

__all__ = ["KEYWORDS", "MODULES", "deputies", "is_importing", "keep_keywords"]

_PREFIXED: Final = {
    "numpy": "_core.records lib._utils_impl ma.extras ma.mrecords",
    "pandas": "core.common core.base core.arraylike core.algorithms core.frame core.generic core.indexing "
    "core.nanops core.strings.accessor core.strings.object_array core.window.rolling core.arrays.base "
    "core.arrays.categorical core.arrays.datetimelike core.arrays.masked core.arrays.sparse.accessor "
    "core.arrays.sparse.array core.arrays.arrow.array core.internals.managers core.methods.selectn "
    "core.reshape.pivot core.reshape.merge core.indexers.objects core.indexes.base core.indexes.interval "
    "core.indexes.extension core.indexes.datetimes core.indexes.range core.indexes.accessors "
    "core.groupby.grouper core.groupby.ops core.dtypes.base core.dtypes.dtypes core.dtypes.inference "
    "core.interchange.from_dataframe core.interchange.utils io.formats.style io.formats.style_render io.html "
    "io.json._json io.parsers.readers plotting._matplotlib.converter",
    "scipy": "interpolate._rbf io._mmio linalg.blas odr._odrpack optimize._differentialevolution optimize._nonlin "
    "optimize._optimize optimize._root_scalar sparse._base sparse._bsr sparse._compressed sparse._data "
    "sparse._matrix_io sparse.linalg._dsolve.linsolve spatial.distance stats._continuous_distns "
    "stats._discrete_distns stats._distn_infrastructure stats._fit "
    "stats._hypotests stats._morestats stats._sampling stats._stats_py",
    "statsmodels": "base._screening base.covtype base.data base.elastic_net base.model base.wrapper "
    "discrete.discrete_model gam.generalized_additive_model genmod.generalized_estimating_equations "
    "graphics.gofplots graphics.regressionplots iolib.openfile iolib.summary regression.linear_model "
    "regression.recursive_ls stats._lilliefors stats.base stats.contrast stats.outliers_influence tools.decorators "
    "tsa.arima.model tsa.exponential_smoothing.ets tsa.innovations.arma_innovations "
    "tsa.regime_switching.markov_switching tsa.statespace.dynamic_factor_mq tsa.statespace.kalman_filter "
    "tsa.statespace.kalman_smoother tsa.statespace.mlemodel tsa.statespace.representation tsa.statespace.sarimax "
    "tsa.statespace.structural tsa.stattools tsa.vector_ar.var_model tsa.x13",
    "matplotlib": "artist axes._axes axes._base axis cbook colorbar colors dates figure font_manager gridspec inset "
    "legend lines markers patheffects pyplot spines transforms widgets",
    "plotly": "basedatatypes express._core express.trendline_functions tools",
    "patsy": "design_info eval util",
    "dateutil": "parser._parser relativedelta rrule tz._common tz.tz",
}
MODULES: Final = (
    *(f"{package}.{name}" for package, names in _PREFIXED.items() for name in names.split()),
    *"_plotly_utils.basevalidators contextlib pprint reprlib".split(),
)
"""Modules that call getattr or setattr with a name that is no constant; measured. What
is missing needs the refused names itself (enum, copy: see ``_copies``), or runs at import only."""

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
_mro: Final = vars(type)["__mro__"].__get__
_class_dict: Final = vars(type)["__dict__"].__get__


def deputies(namespace: Mapping[str, object]) -> Mapping[str, Callable[..., Any]]:
    """Return what stands for builtins in the globals of ``MODULES``. namespace is the script's."""
    real_get, real_set = builtins.getattr, builtins.setattr

    def get(obj: Any, name: str, *default: Any) -> Any:
        exact = name if type(name) is str else str.__str__(name)
        if exact in _LEADING_OUT and not is_importing(namespace):
            raise AttributeError(f"{exact!r} cannot be read by that name here")
        value = real_get(obj, exact, *default)
        # A module holds others, and its name came from the script: __builtins__, os.
        if type(obj) is ModuleType and (exact.startswith("_") or type(value) is ModuleType):
            _check_importing(namespace, f"{exact!r} cannot be read of a module here")
        return value

    def put(obj: Any, name: str, value: Any) -> None:
        exact = name if type(name) is str else str.__str__(name)
        if _rules.is_dunder(exact) and exact not in _rules.WRITABLE_DUNDERS:
            _check_importing(namespace, f"{exact!r} cannot be set by that name here")
        kind = type(obj)
        if issubclass(kind, ModuleType) or (issubclass(kind, type) and not is_own_class(obj)):
            _check_importing(namespace, f"{exact!r} of a library's class or module cannot be set here")
        real_set(obj, exact, value)

    return {"getattr": get, "setattr": put}


def is_importing(namespace: Mapping[str, object]) -> bool:
    """Tell whether a library that is being imported runs, and not what the script called."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals is not namespace:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
        frame = frame.f_back
    return False


def keep_keywords(module: Any) -> None:
    """Let the module's classes take keyword arguments for themselves only, and no special names.

    Their initialisers are functions like any other: given another object they would set
    its private state.
    """
    for kind in [each for each in vars(module).values() if isinstance(each, type)]:
        original = _class_dict(kind).get("__init__")
        if kind.__module__ == module.__name__ and type(original) is FunctionType and _keeps_keywords(original):
            kind.__init__ = _checked_initialiser(kind, original)  # type: ignore[misc]


def _keeps_keywords(function: FunctionType) -> bool:
    code = function.__code__
    return bool(code.co_flags & inspect.CO_VARKEYWORDS) and not {"__dict__", "setattr"}.isdisjoint(code.co_names)


def _checked_initialiser(kind: type, original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def __init__(self: Any, *args: Any, **named: Any) -> None:  # noqa: N807
        if kind not in _mro(type(self)):
            raise TypeError(f"__init__ of {kind.__name__!r} takes one of its own objects")
        for name in named:
            if type(name) is not str or name.startswith("__"):
                raise TypeError(f"{name!r} cannot be a keyword argument here")
        original(self, *args, **named)

    del __init__.__wrapped__
    return __init__


def _check_importing(namespace: Mapping[str, object], reason: str) -> None:
    if not is_importing(namespace):
        raise AttributeError(reason)
