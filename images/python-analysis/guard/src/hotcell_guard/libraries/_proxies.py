"""Mapping proxies that keep what they protect.

``types.MappingProxyType`` compares, and joins by ``|``, as the dict behind it would: the
other side's ``__eq__`` or ``__ror__`` gets that very dict. So who holds
``numpy.dtype.fields`` writes offsets beyond the array, and who holds the members of a
library's enumeration changes them. The operators are those of a copy here. They stand in
the slots of the class itself, which is written in C: no spelling leads around it.
"""

from __future__ import annotations

from types import MappingProxyType

from hotcell_guard.granting._tables import PreparationFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = ["MappingProxyFault", "keep_mappings"]


class MappingProxyFault(PreparationFault):
    """Python is not as it was when this was written: a proxy shows what is behind it."""


class _Copying:
    """The operators; its functions become the proxy's own."""

    def __eq__(self: Any, other: Any) -> Any:
        return dict(self) == _plain(other)

    def __ne__(self: Any, other: Any) -> Any:
        return dict(self) != _plain(other)

    def __lt__(self: Any, other: Any) -> Any:
        return NotImplemented

    __le__ = __gt__ = __ge__ = __lt__

    def __or__(self: Any, other: Any) -> Any:
        return dict(self) | _plain(other)

    def __ror__(self: Any, other: Any) -> Any:
        return _plain(other) | dict(self)

    __hash__ = None  # type: ignore[assignment]


_OPERATORS: Final = {name: vars(_Copying)[name] for name in "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __or__ __ror__".split()}


class _Spy:
    """Is equal to everything, and keeps what it is asked about."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def __eq__(self, other: object) -> bool:
        self.seen.append(other)
        return True

    __or__ = __ror__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = None  # type: ignore[assignment]


def keep_mappings(natives: Natives) -> None:
    """Change the class of mapping proxies. Raises MappingProxyFault when that has changed nothing."""
    natives.take_operators(MappingProxyType, _Copying, **_OPERATORS)
    held, spy = {"a": 1}, _Spy()
    proxy: Any = MappingProxyType(held)
    answers = proxy == spy, proxy != spy, proxy < spy, proxy <= spy, proxy > spy, proxy >= spy, proxy | spy, spy == proxy
    if len(answers) != len(spy.seen) or any(each is held for each in spy.seen):
        raise MappingProxyFault("mapping proxies of this Python show the dict behind them")
    if proxy != held or proxy | {"b": 2} != {"a": 1, "b": 2}:
        raise MappingProxyFault("mapping proxies of this Python cannot be compared")


def _plain(other: Any) -> Any:
    return dict(other) if type(other) is MappingProxyType else other
