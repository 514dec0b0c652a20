"""numpy."""

from __future__ import annotations

import sys

from hotcell_guard.granting import _resizing
from hotcell_guard.libraries import _native_memory
from hotcell_guard.libraries._array_memory import keep_iterators
from hotcell_guard.libraries._changes import each, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "numpy": each(means.arrays.close, keep_iterators(means.natives)),
        "threading": _resizing.note_threads,
        "numpy.matrixlib.defmatrix": means.evaluation.callers,
        "numpy.lib._index_tricks_impl": means.evaluation.callers,
        "numpy.lib._utils_impl": put("__import__", _import_numpy),
        "numpy.random": _native_memory.keep_generators(means.natives),
        "numpy.random.bit_generator": _native_memory.keep_locks,
    }


def _import_numpy(name: str, *context: object) -> object:
    """Import numpy. ``np.info(text, toplevel=name)`` looks for help in any module."""
    if str.__str__(name) != "numpy":
        raise ImportError(f"help is available for what numpy has, not for {name!r}", name=str.__str__(name))
    return sys.modules["numpy"]
