"""What is awaited: the answer of a tool is there as soon as the call is made, and can be awaited as if it were not."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from typing import Any

__all__ = ["answered", "awaiter"]


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

    def awaitable(value: Any) -> Awaitable[Any]:
        return there(value) if type(value) in answers else value

    return awaitable
