"""numpy."""

from __future__ import annotations

import sys

from hotcell_guard.granting import _resizing
from hotcell_guard.libraries import _native_memory
from hotcell_guard.libraries._array_memory import keep_iterators
from hotcell_guard.libraries._changes import each, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hotcell_guard.libraries._changes import Change, Changes, Means
    from hotcell_guard.libraries._natives import Natives

__all__ = ["changes"]


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "numpy": each(means.arrays.close, keep_iterators(means.natives), _keep_dispatchers(means.natives)),
        "threading": _resizing.note_threads,
        "numpy.matrixlib.defmatrix": means.evaluation.callers,
        "numpy.lib._index_tricks_impl": means.evaluation.callers,
        "numpy.lib._utils_impl": put("__import__", _import_numpy),
        "numpy.random": _native_memory.keep_generators(means.natives),
        "numpy.random.bit_generator": _native_memory.keep_locks,
    }


def _keep_dispatchers(natives: Natives) -> Change:
    """Let nobody make functions of numpy's class: it takes what it is not given for one. What loads later has plain functions."""

    def change(numpy: Any) -> None:
        kind = type(numpy.linspace)
        natives.put(kind, __new__=staticmethod(_refuse))
        natives.make_none(kind)
        numpy._core.overrides.array_function_dispatch = _array_function_dispatch

    return change


def _refuse(*_: Any, **__: Any) -> Any:
    raise TypeError("functions of numpy cannot be made; define one with def")


def _array_function_dispatch(dispatcher: Any = None, module: Any = None, **_: Any) -> Any:
    del dispatcher

    def decorate(function: Any) -> Any:
        if module is not None:
            function.__module__ = module
        return function

    return decorate


def _import_numpy(name: str, *context: object) -> object:
    """Import numpy. ``np.info(text, toplevel=name)`` looks for help in any module."""
    if str.__str__(name) != "numpy":
        raise ImportError(f"help is available for what numpy has, not for {name!r}", name=str.__str__(name))
    return sys.modules["numpy"]
