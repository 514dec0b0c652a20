"""scikit-learn."""

from __future__ import annotations

import importlib

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.libraries import _sparse_matrices
from hotcell_guard.libraries._changes import put, refuse_special

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Change, Changes, Means
    from hotcell_guard.libraries._natives import Natives

__all__ = ["changes"]

_HELD: Final = ("data", "idx_array", "node_data", "node_bounds", "sample_weight")
"""Views of a neighbours' tree's memory, in which native code looks up where to read next."""

_PLACES: Final = ("children_left", "children_right", "feature")
"""Arrays over a tree's memory in which native code looks up where to read next."""


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "sklearn.base": _keep_classes,
        "sklearn.impute": _complete("enable_iterative_imputer"),
        "sklearn.model_selection": _complete("enable_halving_search_cv"),
        "sklearn.feature_selection._base": put("attrgetter", _reader(means.attributes.read)),
        "sklearn.utils._array_api": _hold_linalg,
        "sklearn.utils._bunch": lambda module: refuse_special(module.Bunch),
        "sklearn.tree._tree": lambda module: _copy_places(means.natives, module.Tree),
        "sklearn.neighbors._kd_tree": _copy_arrays(means.natives),
        "sklearn.neighbors._ball_tree": _copy_arrays(means.natives),
        "sklearn.metrics._dist_metrics": _lend_copies(means.natives),
        "sklearn.utils.sparsefuncs_fast": _sparse_matrices.keep_counts,
        "sklearn.utils.validation": _sparse_matrices.keep_samples,
        "sklearn.utils._set_output": _load_pandas_only,
    }


def _complete(enabling: str) -> Change:
    """Return what gives a module the classes that are an experiment: nobody sees a change that a script's import makes."""

    def change(_: Any) -> None:
        importlib.import_module(f"sklearn.experimental.{enabling}")

    return change


def _reader(read: Callable[..., Any]) -> Callable[[str], Callable[[Any], Any]]:
    """Return what stands for ``attrgetter``: ``importance_getter`` names attributes of attributes."""

    def attrgetter(path: str) -> Callable[[Any], Any]:
        names = str.__str__(path).split(".")

        def get(obj: Any) -> Any:
            for name in names:
                obj = read(obj, name)
            return obj

        return get

    return attrgetter


def _hold_linalg(module: Any) -> None:
    """Let what stands for numpy hold the part that is asked of it: by a name it gives no module."""
    module._NumPyAPIWrapper.linalg = module.numpy.linalg


def _keep_classes(module: Any) -> None:
    """Let ``clone`` call the classes of estimators only: it calls that of whatever has a ``get_params``."""
    original = module._clone_parametrized

    def _clone_parametrized(estimator: Any, *, safe: bool = True) -> Any:
        kind = type(estimator)
        if hasattr(estimator, "get_params") and not issubclass(kind, type) and not _is_estimator(kind):
            raise TypeError(f"Cannot clone object of type {kind.__name__}: it is no estimator")
        return original(estimator, safe=safe)

    module._clone_parametrized = _clone_parametrized


def _is_estimator(kind: type) -> bool:
    """Tell whether a class is the script's own, or scikit-learn's."""
    return is_own_class(kind) or any(base.__module__.partition(".")[0] == "sklearn" for base in mro(kind))


def _copy_places(natives: Natives, kind: type) -> None:
    """Let a tree show copies of the places that it reads at, not its memory."""
    natives.put(kind, **{name: property(_copier(vars(kind)[name].__get__)) for name in _PLACES})


def _copier(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def copied(self: Any) -> Any:
        return get(self).copy()

    return copied


def _copy_arrays(natives: Natives) -> Change:
    """Let trees of neighbours show copies of their arrays."""

    def change(module: Any) -> None:
        for kind in list(vars(module).values()):
            for base in mro(kind) if isinstance(kind, type) else ():
                if {"get_arrays", "query"} <= class_dict(base).keys():
                    _show_copies(natives, base)

    return change


def _show_copies(natives: Natives, kind: type) -> None:
    get = vars(kind)["get_arrays"].__get__

    def get_arrays(self: Any) -> Any:
        """Get data and node arrays, as copies."""
        import numpy  # scikit-learn has loaded it

        return tuple(numpy.array(held) for held in get(self)())

    held = {name: property(_array_of(vars(kind)[name].__get__)) for name in _HELD}
    natives.put(kind, get_arrays=get_arrays, **held)


def _array_of(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def copied(self: Any) -> Any:
        import numpy  # scikit-learn has loaded it

        held = get(self)
        return None if held is None else numpy.array(held)

    return copied


def _lend_copies(natives: Natives) -> Change:
    """Let metrics that call a function hand it copies: what they have is a tree's memory, or a row's for one call."""

    def change(module: Any) -> None:
        for kind, copied in ((module.PyFuncDistance64, _copied), (module.PyFuncDistance32, _copied_of_narrow)):
            natives.take_init(kind, _with_metric(vars(kind)["__init__"], copied))

    return change


def _with_metric(original: Any, copied: Callable[[Any], Any]) -> Callable[..., None]:
    def __init__(self: Any, func: Any, **options: Any) -> None:  # noqa: N807
        original(self, func if type(func) is _Metric else _Metric(func, copied), **options)

    return __init__


def _copied(vector: Any) -> Any:
    return vector.copy()


def _copied_of_narrow(vector: Any) -> Any:
    """Return a copy of a vector of 32 bits each, which native code says to be one of 64: of twice the memory that it has."""
    return vector.view("f4")[: vector.size].copy()


class _Metric:
    """What native code calls in place of a script's metric."""

    __slots__ = ("_copied", "_function")

    def __init__(self, function: Any, copied: Callable[[Any], Any]) -> None:
        self._function, self._copied = function, copied

    def __call__(self, *vectors: Any, **options: Any) -> Any:
        return self._function(*map(self._copied, vectors), **options)

    def __deepcopy__(self, memo: Any) -> Any:
        return self  # as a function is


def _load_pandas_only(module: Any) -> None:
    """Let transformers make tables of pandas, whatever an adapter says that it needs."""
    original = module.check_library_installed

    def check_library_installed(library: str) -> Any:
        exact = str.__str__(library)
        if exact != "pandas":
            raise ImportError(f"{exact!r} is not in this image; set_output takes 'default' and 'pandas'", name=exact)
        return original(exact)

    module.check_library_installed = check_library_installed
