"""``ndarray.resize`` for the script: it moves an array's memory, or frees a part.

numpy counts references and allows one besides the call's own, which it takes for a name.
It can be a view's just as well, or that of a method that is at work. Here the names are
looked for: unless they are all that holds the array, its size stays. Native code of
libraries, which resizes what it made itself, goes on calling numpy's own.
"""

from __future__ import annotations

import gc
import math
import operator
import sys
from types import BuiltinMethodType, MethodType

from hotcell_guard.granting._ownership import instance_dict
from hotcell_guard.granting._real import class_dict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType
    from typing import Any, Final

__all__ = ["NAME", "has_threads", "note_threads", "shown"]

NAME: Final = "resize"
_HELD: Final = (
    "cannot resize an array in place that more may hold than the names where it is resized; "
    "use np.resize, np.concatenate or np.pad, and give the result a name"
)
_CALLS: Final = 2
"""References that ``resize`` has to its array: its own name, and the argument of who counts."""
_threads: Final[list[bool]] = []


def note_threads(threading: Any) -> None:
    """Note it when a thread is started: from then on others can look at an array between two steps of this one."""
    start = threading._start_joinable_thread

    def _start_joinable_thread(*args: Any, **options: Any) -> Any:
        _threads[:] = [True]
        return start(*args, **options)

    threading._start_joinable_thread = _start_joinable_thread


def has_threads() -> bool:
    """Tell whether a thread was ever started."""
    return bool(_threads)


def shown(value: Any) -> Any:
    """Return what a script gets for what it has read by the name: in place of numpy's own the one that looks."""
    numpy: Any = sys.modules.get("numpy")
    array = getattr(numpy, "ndarray", None)
    if array is None:
        return value
    if value is class_dict(array)[NAME]:
        return _resizer(array)
    if type(value) is BuiltinMethodType and value.__name__ == NAME and issubclass(type(value.__self__), array):
        return MethodType(_resizer(array), value.__self__)
    return value


def _resizer(array: Any) -> Callable[..., None]:
    original, count = class_dict(array)[NAME], class_dict(array)["size"].__get__

    def resize(self: Any, *new_shape: Any, refcheck: Any = True) -> None:
        """Change shape and size of array in-place."""
        shape = _shape(new_shape)
        if shape is None:
            return
        enabled = gc.isenabled()
        gc.disable()  # it calls methods of a script's
        try:
            if math.prod(shape) != count(self) or min(shape, default=0) < 0:
                references = sys.getrefcount(self) - _CALLS
                names = sum(each is self for each in _named(sys._getframe(1)))
                if _threads or references != names or (refcheck and names > 1):
                    raise ValueError(_HELD)
            original(self, shape, refcheck=False)
        finally:
            if enabled:
                gc.enable()

    return resize


def _shape(given: tuple[Any, ...]) -> tuple[int, ...] | None:
    """Return a new shape of exact numbers, or None: without one it stays."""
    if len(given) == 1 and not hasattr(type(given[0]), "__index__"):
        given = given[0]
    return tuple(operator.index(each) for each in given) if given else None


def _named(frame: FrameType) -> Iterator[Any]:
    """Yield what the names mean that a frame knows, its callers' own, and the attributes of what its own names mean.

    Each reference once, and without code of a script's: it may have named a mapping of its own.
    """
    own: Any = frame.f_locals
    if type(own) is dict:
        values = list(dict.values(own))
    else:
        values = list(own.values()) if type(own) is _LOCALS else []
        yield from values
    namespaces = (frame.f_globals, own, *map(instance_dict, values))
    for names in {id(each): each for each in namespaces if isinstance(each, dict)}.values():
        yield from dict.values(names)
    yield from _of_callers(frame.f_back)


def _of_callers(frame: FrameType | None) -> Iterator[Any]:
    while frame is not None:
        shared = {*frame.f_code.co_cellvars, *frame.f_code.co_freevars}  # with a function that is nearer
        own: Any = frame.f_locals
        if type(own) is _LOCALS:
            yield from (value for name, value in own.items() if name not in shared)
        frame = frame.f_back


def _locals_of_functions() -> type:
    return type(sys._getframe().f_locals)


_LOCALS: Final[Any] = _locals_of_functions()
