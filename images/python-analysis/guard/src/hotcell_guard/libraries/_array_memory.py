"""Keeps the memory of numpy's iterators as long as somebody may look at it.

An iterator that is closed frees its buffers and lets go of its operands, although the
arrays that it handed out show them: the last one of a loop always does. Here it writes
back what it has to, goes to its end, and keeps its memory until the last such array has gone.
"""

from __future__ import annotations

from hotcell_guard.granting._wrapping import instead_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Change
    from hotcell_guard.libraries._natives import Natives

__all__ = ["keep_iterators"]

_FLAGS: Final = 2
"""The place of the flags among the arguments of ``__init__`` and of ``nested_iters``."""


def keep_iterators(natives: Natives) -> Change:
    """Return the change to numpy."""

    def change(numpy: Any) -> None:
        held = vars(numpy.nditer)
        close = _closer(numpy, held)
        natives.take_init(numpy.nditer, _ranged(held["__init__"]))
        natives.put(numpy.nditer, close=close, __exit__=lambda self, *_: close(self))
        numpy.nested_iters = instead_of(numpy.nested_iters)(_ranged(numpy.nested_iters))

    return change


def _ranged(original: Any) -> Callable[..., Any]:
    """Return what makes iterators with buffers as ones of ranges, which can be told to be at their end."""

    def make(*args: Any, **options: Any) -> Any:
        if len(args) > _FLAGS:
            args = (*args[:_FLAGS], _with_range(args[_FLAGS]), *args[_FLAGS + 1 :])
        elif "flags" in options:
            options["flags"] = _with_range(options["flags"])
        return original(*args, **options)

    return make


def _with_range(flags: Any) -> Any:
    if flags is None or isinstance(flags, str):
        return flags
    flags = [*flags]
    return [*flags, "ranged"] if "buffered" in flags else flags


def _closer(numpy: Any, held: Any) -> Callable[[Any], None]:
    array = vars(numpy.ndarray)
    base, flags, set_item = array["base"].__get__, array["flags"].__get__, array["__setitem__"]
    operands, end = held["operands"].__get__, held["iterrange"].__set__

    def close(self: Any) -> None:
        """Resolve all writeback semantics in writeable operands. What the iterator has handed out stays."""
        try:
            end(self, (0, 0))  # writes what is in its buffers
        except ValueError as error:
            if "ranged" not in str(error):
                raise
        for each in operands(self):
            if flags(each).writebackifcopy:
                target = base(each)
                flags(each).writebackifcopy = False
                flags(target).writeable = True  # it was: numpy locks it as long as its copy is there
                set_item(target, ..., each)

    return close
