"""What is awaited: the answer of a tool is there as soon as the call is made, and can be awaited as if it were not."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
    from typing import Any, Final

__all__ = ["Failed", "answered", "awaiter", "waits_later"]

_LATER: Final = ("return_exceptions", "create_task", "ensure_future", "TaskGroup", "asyncio.wait(", "asyncio.as_completed(")
"""What a script says that awaits calls elsewhere than where it makes them."""


def waits_later(lines: Iterable[str]) -> bool:
    """Tell whether a script makes calls that it awaits later on, so that a failure is expected there."""
    return any(word in line for line in lines for word in _LATER)


class Failed:
    """The answer of a call that has failed, in a script that awaits its calls later: whatever is done with it raises."""

    __slots__ = ("_error", "_raised")

    def __init__(self, error: Exception) -> None:
        self._error = error
        self._raised = False

    def __await__(self) -> Generator[Any, Any, Any]:
        self._raise()
        yield  # it is a generator

    def settle(self) -> None:
        """Raise the failure unless it has been raised."""
        if not self._raised:
            self._raise()

    def _raise(self, *_: object) -> Any:
        self._raised = True
        raise self._error

    __getattr__ = __getitem__ = __setitem__ = __delitem__ = __contains__ = __iter__ = __call__ = _raise
    __len__ = __bool__ = __str__ = __repr__ = __format__ = __int__ = __float__ = __index__ = _raise
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __enter__ = __hash__ = _raise


class _There:
    """Ends the wait at once, with the value."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __await__(self) -> Iterator[Any]:
        return self._value  # type: ignore[return-value]
        yield  # it is a generator


def awaiter(answers: frozenset[type]) -> Callable[[Any], Any]:
    """Return what each ``await`` of a script is given its object by. What is no answer stays what it is."""

    def awaited(value: Any) -> Any:
        return _There(value) if type(value) in answers else value

    return awaited


def answered(answers: frozenset[type]) -> Callable[[Any], Any]:
    """Return what makes a coroutine of an answer: libraries take nothing else."""

    async def there(value: object) -> object:
        return value

    async def failed(value: Failed) -> object:
        return await value

    def awaitable(value: Any) -> Awaitable[Any]:
        if type(value) is Failed:
            return failed(value)
        return there(value) if type(value) in answers else value

    return awaitable
