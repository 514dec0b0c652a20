"""scipy."""

from __future__ import annotations

import builtins
import types

from hotcell_guard.libraries import (
    _lapack,
    _native_files,
    _native_memory,
    _native_numbers,
    _ranges,
    _sparse_indices,
    _sparse_matrices,
    _special_numbers,
    _triangulations,
)
from hotcell_guard.libraries._changes import each, generate_before_scripts, joined, put, refuse_special
from hotcell_guard.libraries._templates import Template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Change, Changes, Means
    from hotcell_guard.libraries._deputies import Deputies
    from hotcell_guard.libraries._natives import Natives

__all__ = ["changes", "check_distribution_names"]

_GENERATORS: Final = ("scipy._lib._bunch", "scipy._lib.decorator", "scipy.optimize._nonlin")
"""Modules that make functions of text that they wrote; measured. None does so for a script."""

_BY_DISTRIBUTION: Final = (
    "scipy.stats._stats_py scipy.stats._morestats scipy.stats._hypotests scipy.stats._sampling scipy.stats._fit"
).split()
"""Modules whose functions take a distribution's name: ``kstest(x, "norm")``."""

_GRAPH_FUNCTIONS: Final = "flow laplacian matching min_spanning_tree reordering shortest_path tools traversal".split()
_GRAPHS: Final = tuple(f"scipy.sparse.csgraph._{name}" for name in _GRAPH_FUNCTIONS)
"""Modules of functions of graphs."""


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    deputies = means.deputies
    return joined(
        dict.fromkeys(_GENERATORS, generate_before_scripts),
        dict.fromkeys(_BY_DISTRIBUTION, check_distribution_names),
        {
            "scipy.stats._distn_infrastructure": _run_templates(means.attributes.builtins),
            "scipy.stats._distribution_infrastructure": lambda module: _give_getattr(module, deputies),
            "scipy._lib._util": lambda module: refuse_special(module._RichResult),
            "scipy.sparse._sparsetools": _sparse_indices.keep_products,
            "scipy.sparse.linalg._dsolve._superlu": _sparse_indices.keep_solvers,
            "scipy.sparse.linalg._dsolve._add_newdocs": lambda _: _sparse_indices.keep_orders(means.natives),
            "scipy.spatial._ckdtree": each(
                means.arrays.keep_trees, _copy_places(means.natives), _native_numbers.keep_counts(means.natives)
            ),
            "scipy.linalg._flapack": _lapack.keep_pivots,
            "scipy.spatial._qhull": each(_native_files.keep_hulls, _triangulations.keep_triangulations),
            "scipy.spatial._voronoi": _triangulations.keep_regions,
            "scipy.interpolate._interpnd": _triangulations.keep_interpolators,
            "scipy.io._fast_matrix_market": _native_files.open_matrices_in_python,
            "scipy.io.arff._arffread": put("ctypes", types.SimpleNamespace(c_ulong=_c_ulong)),
            "scipy.stats._continuous_distns": _ranges.integrate_ranges,
            "scipy.odr": _native_files.keep_regressions,
            "scipy.optimize._milp": _native_files.keep_solvers,
            "scipy.optimize._linprog_highs": _native_files.keep_solvers,
        },
        dict.fromkeys(_GRAPHS, _sparse_matrices.keep_graphs),
        _native_numbers.changes(),
        _special_numbers.changes(),
        dict.fromkeys(_native_memory.LENDING, _native_memory.lend_copies),
        dict.fromkeys(_native_memory.KEEPING, _native_memory.lend_copies_of_fortran),
    )


def _copy_places(natives: Natives) -> Change:
    """Let trees and their nodes show copies of the places that they read their points at."""

    def change(module: Any) -> None:
        for kind in (module.cKDTree, module.cKDTreeNode):
            natives.put(kind, indices=property(_copier(vars(kind)["indices"].__get__)))

    return change


def _copier(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def copied(self: Any) -> Any:
        return get(self).copy()

    return copied


def _c_ulong(value: int) -> types.SimpleNamespace:
    """Return what stands for a C integer: ctypes is gone, and the reader of ARFF asks it for the longest field of csv."""
    return types.SimpleNamespace(value=value % 2**64)


def _give_getattr(module: Any, deputies: Deputies) -> None:
    module.getattr = deputies.of(module.__name__)["getattr"]  # it makes classes, and sets their attributes


def _run_templates(table: dict[str, object]) -> Change:
    """Distributions are made with code from a template, which a subclass can replace."""

    def change(module: Any) -> None:
        template = Template(module.parse_arg_template)

        def execute(text: object, namespace: dict[str, Any], /) -> None:
            namespace["__builtins__"] = table
            exec(template.compile(text), namespace)

        module.exec = execute

    return change


def check_distribution_names(module: Any) -> None:
    """``kstest(x, "norm")`` takes any name of a module that holds others."""
    given = vars(module).get("getattr", builtins.getattr)

    def get(obj: Any, name: str, *default: Any) -> Any:
        if type(obj) is not types.ModuleType:
            return given(obj, name, *default)
        value = vars(obj).get(str.__str__(name))
        if isinstance(value, (type, types.ModuleType)) or not hasattr(value, "cdf"):
            raise ValueError(f"{name!r} is not a distribution of scipy.stats")
        return value

    module.getattr = get
