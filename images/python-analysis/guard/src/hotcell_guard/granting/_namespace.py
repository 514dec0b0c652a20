"""Namespaces that a script holds: ``types.SimpleNamespace``, and what ``vars()`` gives of its own objects."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

__all__ = ["Modules", "Names", "SimpleNamespace", "namespace_class"]


class SimpleNamespace:
    """A simple attribute-based namespace.

    Unlike Python's it takes no special names: numpy would read ``__array_interface__``
    from it, an address of memory.
    """

    def __init__(self, mapping: Mapping[str, object] | None = None, /, **attributes: object) -> None:
        items = {**dict(mapping or {}), **attributes}
        for name in items:
            if type(name) is not str or name.startswith("__"):
                raise TypeError(f"{name!r} cannot be an attribute's name here")
        vars(self).update(items)

    def __repr__(self) -> str:
        return f"namespace({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, SimpleNamespace) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as Python's own


class Names(dict):  # type: ignore[type-arg]  # no typing at run time
    """What ``globals()`` and ``locals()`` give: the names that the script has bound, as they are now.

    It is a copy, and says so when it is written to: which names a script binds is known
    before it runs, and what is checked rests on that.
    """

    __slots__ = ()

    def _refuse(self, *arguments: object, **values: object) -> NoReturn:
        raise TypeError("globals(), locals() and vars() give a copy; keep values under names of your own in a dict")

    __setitem__ = __delitem__ = __ior__ = _refuse  # type: ignore[assignment]
    update = setdefault = pop = popitem = clear = _refuse  # type: ignore[assignment]


class Modules(Names):
    """What ``sys.modules`` gives: the modules that the script has, by their names."""

    __slots__ = ()

    def _unload(self, *arguments: object, **values: object) -> NoReturn:
        raise TypeError("sys.modules is a copy here; a module stays imported, and stands for itself")

    __setitem__ = __delitem__ = __ior__ = _unload  # type: ignore[assignment]
    update = setdefault = pop = popitem = clear = _unload  # type: ignore[assignment]


def namespace_class(write: Callable[..., None], delete: Callable[..., None]) -> Any:
    """Return the class of what ``vars()`` gives of the script's own objects.

    Its functions hold the run's checks in their closures: a library that reads slots
    by name must not find them in an instance.
    """

    class Namespace(dict):  # type: ignore[type-arg]  # no typing at run time
        """An instance's namespace: a copy whose changes go to the instance as well."""

        __slots__ = ("_owner",)

        def __init__(self, shown: dict[str, Any], owner: object) -> None:
            super().__init__(shown)
            self._owner = owner

        def __setitem__(self, name: str, value: Any) -> None:
            write(self._owner, name, value)
            super().__setitem__(name, value)

        def __delitem__(self, name: str) -> None:
            value = self[name]
            delete(self._owner, name)
            super().__delitem__(name)
            del value

        def update(self, *args: Any, **values: Any) -> None:
            """Set several attributes."""
            for name, value in dict(*args, **values).items():
                self[name] = value

        def setdefault(self, name: str, default: Any = None) -> Any:
            """Set an attribute unless it is there."""
            if name not in self:
                self[name] = default
            return self[name]

        def pop(self, name: str, *default: Any) -> Any:
            """Delete an attribute and return what it was."""
            if name not in self and default:
                return default[0]
            value = self[name]
            del self[name]
            return value

        def clear(self) -> None:
            """Delete all attributes."""
            for name in list(self):
                del self[name]

        def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
            self.update(other)
            return self

    return Namespace
