"""``functools.update_wrapper``, which copies attributes by names from any object to any.

A library's decorators wrap what a script gives them in functions of their own, and a
script's wrap anything. So the objects decide, not only the names: what is copied is
text, or a copy; a class's namespace is copied never, and of a namespace that is not the
script's only what the script may see of it.
"""

from __future__ import annotations

import builtins
import functools
from types import FunctionType

from hotcell_guard.granting._ownership import instance_dict
from hotcell_guard.granting._privates import stands_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final

    from hotcell_guard.granting._attributes import Attributes

__all__ = ["check_wrappers", "instead_of", "wrappers"]

_TEXTS: Final = frozenset(("__module__", "__name__", "__qualname__", "__doc__"))
_COPIED: Final = _TEXTS | {"__annotations__", "__type_params__", "__dict__"}
"""What may be copied, whoever asks: functools' defaults, and older ones."""
_ABSENT: Final = object()


def instead_of[**P, R](original: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function look like the one whose place it takes, without what functools adds: the way to that one."""

    def look_like(function: Callable[P, R]) -> Callable[P, R]:
        functools.update_wrapper(function, original)
        del function.__wrapped__  # type: ignore[attr-defined]
        stands_for(function, original)
        return function

    return look_like


def check_wrappers(module: Any, attributes: Attributes) -> None:
    """Give functools an update_wrapper that looks at the objects. It is also what wraps() calls."""
    assignments, updates = module.WRAPPER_ASSIGNMENTS, module.WRAPPER_UPDATES

    def update_wrapper(wrapper: Any, wrapped: Any, assigned: Any = assignments, updated: Any = updates) -> Any:
        """Update a wrapper function to look like the wrapped function."""
        assigned, updated = _names(assigned), _names(updated)
        for name in assigned:
            value = _copied(name, wrapped)
            if value is not _ABSENT and not (issubclass(type(wrapper), type) and name == "__module__"):
                builtins.setattr(wrapper, name, value)
        if "__dict__" in updated:
            _namespace_of(wrapper).update(_shown(wrapper, wrapped, attributes))
        wrapper.__wrapped__ = wrapped
        return wrapper

    module.update_wrapper = update_wrapper


def wrappers(module: Any, owns: Callable[[object], bool]) -> Mapping[str, object]:
    """Return what a script calls: what is changed is its own, or a cache around it. owns tells which."""

    def update_wrapper(
        wrapper: Any, wrapped: Any, assigned: Any = module.WRAPPER_ASSIGNMENTS, updated: Any = module.WRAPPER_UPDATES
    ) -> Any:
        """Update a wrapper function to look like the wrapped function."""
        if not owns(wrapper):
            raise TypeError("update_wrapper() can change only a function of the script; wrap any other in a function")
        return module.update_wrapper(wrapper, wrapped, assigned, updated)

    def wraps(wrapped: Any, assigned: Any = module.WRAPPER_ASSIGNMENTS, updated: Any = module.WRAPPER_UPDATES) -> Any:
        """Decorator factory to apply update_wrapper() to a wrapper function."""
        return module.partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)

    return {"update_wrapper": update_wrapper, "wraps": wraps}


def _names(given: Iterable[Any]) -> tuple[str, ...]:
    names = tuple(str.__str__(each) for each in given)
    unknown = {*names} - _COPIED
    if unknown:
        raise ValueError(f"update_wrapper: {sorted(unknown)[0]!r} cannot be copied")
    return names


def _copied(name: str, wrapped: Any) -> Any:
    """Return the attribute as an exact value of its own, or _ABSENT."""
    value: Any = builtins.getattr(wrapped, name, _ABSENT)
    kind = type(value)
    if name in _TEXTS:
        return str.__str__(value) if issubclass(kind, str) else None if value is None else _ABSENT
    if name == "__annotations__":
        return dict(value) if kind is dict else _ABSENT
    return value if name == "__type_params__" and kind is tuple else _ABSENT


def _namespace_of(wrapper: Any) -> dict[str, Any]:
    """Return the wrapper's own namespace, past what its class answers. Raises AttributeError."""
    held = None if issubclass(type(wrapper), type) else instance_dict(wrapper)
    if held is None:
        raise AttributeError("update_wrapper: the wrapper has no namespace to update")
    return held  # type: ignore[return-value]


def _shown(wrapper: Any, wrapped: Any, attributes: Attributes) -> Mapping[str, Any]:
    held = None if issubclass(type(wrapped), type) else instance_dict(wrapped)
    if held is None:
        return {}
    if type(wrapper) is FunctionType and not attributes.ownership.is_own(wrapper):
        return held  # a library's function around another; nothing of it can be read but what is public
    return {name: held[name] for name in attributes.namespace(wrapped) if name in held}
