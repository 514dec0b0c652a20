"""The private names that a library's classes use themselves: none of the script's classes hides one.

A library believes what it finds under such a name, whoever has put it there.
"""

from __future__ import annotations

import builtins as python
from types import CodeType, FunctionType, ModuleType

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Final

__all__ = [
    "BUILTIN", "OTHERWISE", "OVERRIDDEN", "PLAIN_MODULES", "check_body", "check_fields", "check_hidden", "check_made",
    "class_names", "hides", "home", "is_asked", "is_kept", "names_used", "stands_for",
]  # fmt: skip

OTHERWISE: Final = (super, type, ModuleType)
"""Classes of the objects about which their class alone does not decide."""

PLAIN_MODULES: Final = frozenset(("builtins", "abc", "typing", "collections", "collections.abc", "numbers"))

OVERRIDDEN: Final = frozenset(
    """
    _get_init_kwds _extend_index _index_like _eq_attr _set_extra_params_names _clone_from_init_kwds _arg_from_tau
    _smooth_basis_for_single_variable
    _pdf _logpdf _cdf _logcdf _sf _logsf _ppf _isf _rvs _stats _munp _entropy _argcheck _get_support
    _pmf _logpmf _nonzero _fitstart
    _validate_data _validate_params _check_n_features _check_feature_names _get_tags _more_tags _get_support_mask
    _iter_test_indices _iter_test_masks _iter_indices _run_search _sk_visual_block_ _n_features_out
    _reduce _accumulate _formatter _values_for_argsort _values_for_factorize _rank _from_sequence
    _from_sequence_of_strings _from_factorized _concat_same_type _get_common_dtype
    _set_format _set_order_of_magnitude _compute_offset _raw_ticks _format_maybe_minus_and_locale
    _gen_axes_patch _gen_axes_spines _init_axis _set_lim_and_transforms _update_transScale
    _get_core_transform _get_affine_transform _get_tick _adjust_location _get_coord_info
    _draw_frame _init_draw _pre_draw _post_draw _draw_next_frame
    _update_gc _offset_transform _draw_text_as_path _changed
    _timer_start _timer_stop _timer_set_interval _timer_set_single_shot
    """.split()
)
"""Private methods and properties that statsmodels, scipy, scikit-learn, pandas and matplotlib document for classes that inherit,
or show in their examples, which may also call the one that they override. Each is handed nothing but the object, data,
a search's function that tries parameters, and what is drawn with (frames of an animation, a renderer, its graphics
context), and gives what public methods give."""

_KEPT: Final = {
    ("matplotlib.", "mpl_toolkits."): frozenset(
        """
        _drawn_artists _path _verts3d _interpolation_steps _params _longitude_cap
        _xaxis_transform _xaxis_pretransform _xaxis_text1_transform _xaxis_text2_transform
        _yaxis_transform _yaxis_stretch _yaxis_text1_transform _yaxis_text2_transform
        """.split()
    ),
    ("sklearn.",): frozenset(("_estimator_type", "_n_features_out")),
    ("statsmodels.",): frozenset(("_param_names", "_start_params")),
}
"""What an heir of a library's classes keeps for them, by how the names of the library's modules begin: as examples of
matplotlib's projections, animations and layouts do, artists, transforms, paths and options, which public attributes
(``transData``, ``artists``) hold as well; what scikit-learn and statsmodels document."""

_ASKED: Final = frozenset(("_get_numeric_data", "_get_bool_data"))
"""Methods without parameters that scripts call of pandas' own tables: they give what ``select_dtypes`` does."""

_EXTENSIONS: Final = OVERRIDDEN | frozenset(
    """
    _constructor _constructor_sliced _constructor_expanddim
    _shape_info
    _random
    _step_impl _dense_output_impl _call_impl
    _matvec _rmatvec _matmat _rmatmat _adjoint _transpose
    _start_params _param_names _res_classes
    _adjust_compatible _colorbar_gridspec _supports_transparency
    _estimator_type _required_parameters _parameter_constraints
    _is_numeric _is_boolean _can_hold_na
    """.split()
)
"""Private names that libraries document for classes that inherit: pandas', those of scipy's distributions, engines,
solvers and linear operators, what a statespace model of statsmodels says of its parameters, what an estimator of
scikit-learn's, an array of pandas' and a layout engine of matplotlib's say of themselves."""

BUILTIN: Final = frozenset(value for value in vars(python).values() if isinstance(value, type)) - {*OTHERWISE}
"""Python's own, by identity: a class that is written in C has no ``__module__`` in its namespace,
and what it says of itself can be anything."""

_PARTS: Final = ("__func__", "fget", "fset", "fdel", "func", "__wrapped__")
"""Where what stands in a class has its functions."""

_of_libraries: Final[dict[type, frozenset[str]]] = {}
"""The private names that each class of a library's uses, once they were asked for."""

_private_of: Final[dict[type, frozenset[str]]] = {}
"""The private names that the libraries' bases of a class of the script's use, once they were asked for."""

_behind: Final[dict[FunctionType, FunctionType]] = {}
"""The library's function whose place a function of the guard's has taken: what it uses, its class uses."""


def stands_for(function: Any, original: Any) -> None:
    """Take a function for one that stands in the place of a library's."""
    if type(function) is FunctionType and type(original) is FunctionType:
        _behind[function] = original


def hides(kind: type, name: str) -> bool:
    """Tell whether a library's base of a class of the script's keeps something under a name, and for itself."""
    known = _private_of.get(kind)
    if known is None:
        names = (each for each in names_used(kind) if _rules.is_private(each) or _rules.is_dunder(each))
        known = _private_of[kind] = frozenset(names)
    return name in known


def is_kept(kind: type, name: str) -> bool:
    """Tell whether objects of a class of the script's keep something under a private name for one library alone."""
    begins = next((begins for begins, names in _KEPT.items() if name in names), None)
    if begins is None:
        return False
    above = [home(each) for each in mro(kind) if not is_own_class(each)]
    return all(type(each) is str and (each in PLAIN_MODULES or each.startswith(begins)) for each in above)


def is_asked(kind: type, name: str) -> bool:
    """Tell whether scripts may call a private method of the objects of a class, all of whose bases are pandas'."""
    if name not in _ASKED:
        return False
    homes = [home(each) for each in mro(kind) if each is not object]
    return all(type(each) is str and each.startswith("pandas.") for each in homes)


def check_hidden(kind: type, bases: Iterable[Any], namespace: Mapping[str, Any], body: frozenset[str]) -> None:
    """Raise TypeError if a class that is about to be made would hide private names of its bases.

    kind is its metaclass; body holds the names that its statement or the call gave. The
    class itself is anybody's from its first hook on (``__init_subclass__``, ``__set_name__``).
    """
    above = [*mro(kind), *(each for base in bases if issubclass(type(base), type) for each in mro(base))]
    _check_states(above, namespace)
    used = _used_by(above)
    _check_values(namespace, used & body)
    _check_values(_slots(namespace.get("__slots__", ()), used), used)
    for base in filter(is_own_class, above):  # checked when it was made, for the bases that it has itself
        _check_values(class_dict(base), used - names_used(base))


def _check_states(above: list[type], namespace: Mapping[str, Any]) -> None:
    """Let a class say what of it is copied only where no base is a library's: native code reads a state, and sets it."""
    if all(is_own_class(base) or home(base) in PLAIN_MODULES or base is type for base in above):
        return
    for name in ("__getstate__", "__setstate__"):
        if name in namespace or any(name in class_dict(base) for base in above if is_own_class(base)):
            raise TypeError(f"{name!r} can be defined where all bases are your own; define __copy__ or __deepcopy__")


def _slots(given: Any, used: frozenset[str]) -> Iterator[str]:
    """Yield the names that slots will have in the class; one that Python mangles is any that ends like it."""
    for name in (given,) if type(given) is str else given:
        yield name
        if name.startswith("__"):
            yield from (each for each in used if each.endswith(name))


def check_made(kind: type, body: frozenset[str]) -> None:
    """Raise TypeError if a class that was made by a call hides private names of its bases.

    body holds the names that the call gave.
    """
    check_body(kind, names_used(kind) & body)


def check_fields(kind: type, names: Iterable[str]) -> None:
    """Raise TypeError if a field has a private name of a library's base: native code reads fields."""
    used = names_used(kind)
    for name in names:
        if name in used and _rules.is_private(name):
            raise TypeError(f"{name!r} is private to a base class of {kind.__name__!r}; choose another name")


def names_used(kind: type) -> frozenset[str]:
    """Return the private names that libraries' classes above a class use."""
    return _used_by((*mro(kind), *mro(type(kind))))


def _used_by(bases: Iterable[type]) -> frozenset[str]:
    names: set[str] = set()
    for base in bases:
        if not is_own_class(base) and home(base) not in PLAIN_MODULES:
            known = _of_libraries.get(base)
            if known is None:
                known = _of_libraries[base] = frozenset(class_names(base))
            names |= known
    return frozenset(names)


def check_body(kind: type, used: frozenset[str]) -> None:
    """Raise TypeError if a class holds one of the names that are used, and it is private."""
    _check_values(class_dict(kind), used)


def _check_values(names: Iterable[str], used: frozenset[str]) -> None:
    """Refuse private names that a library's base class uses itself.

    It believes what it finds there, and a method of its own is handed what no script
    is to hold: frames' namespaces, an array over memory that it frees.
    """
    for name in names:
        if name in used and _rules.is_private(name) and name not in _EXTENSIONS:
            raise TypeError(f"{name!r} is private to a base class; choose another name")


def home(kind: type) -> object:
    """Return the module that a library's class is of, past what a metaclass would answer."""
    return class_dict(kind).get("__module__", "builtins" if kind in BUILTIN else None)


def class_names(base: type) -> Iterator[str]:
    """Yield the names that a class holds, and those that its functions read."""
    for name, value in class_dict(base).items():
        yield name
        for function in (value, *(getattr(value, part, None) for part in _PARTS)):
            while type(function) is FunctionType:
                yield from _code_names(function.__code__)
                function = _behind.get(function)


def _code_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if type(constant) is str and constant.isidentifier():
            yield constant
        elif type(constant) is CodeType:
            yield from _code_names(constant)
