"""networkx."""

from __future__ import annotations

import contextlib
import functools

from hotcell_guard.libraries._changes import script_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    opener = script_open(means)

    def change(module: Any) -> None:
        module.argmap = _argmap(module.inspect)
        module.open = opener  # what a script names is the script's to open

    return {"networkx.utils.decorators": change}


def _argmap(inspect: Any) -> Callable[..., Any]:
    """Return networkx's decorator that maps arguments, without the text that its own writes and executes.

    Its own makes a function of the names of parameters at the first call, and gives its code to
    the one that it decorates. Nobody else makes code while a script runs.
    """

    def argmap(function: Any, *places: Any, try_finally: bool = False) -> Callable[[Any], Any]:
        def decorate(decorated: Any) -> Any:
            return _mapping(decorated, _Parameters(inspect, decorated), function, places, try_finally)

        return decorate

    return argmap


class _Parameters:
    """The names and defaults of a function's parameters."""

    __slots__ = ("defaults", "named", "places")

    def __init__(self, inspect: Any, function: Any) -> None:
        every = list(inspect.signature(function, follow_wrapped=False).parameters.values())
        alone = [(number, each) for number, each in enumerate(every) if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
        self.named = {number: each.name for number, each in alone}
        self.places = {each.name: number for number, each in alone if each.kind is not each.KEYWORD_ONLY}
        self.defaults = {each.name: each.default for _, each in alone if each.default is not each.empty}


class _Call:
    """The arguments of one call, each to be read and replaced by its number or name."""

    __slots__ = ("given", "named", "parameters")

    def __init__(self, parameters: _Parameters, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.parameters, self.given, self.named = parameters, list(given), named

    def read(self, place: Any) -> Any:
        """Return an argument, or those of a tuple of places."""
        if type(place) is tuple:
            return tuple(map(self.read, place))
        key = self._key(place)
        if type(key) is int:
            return self.given[key]
        if key in self.named:
            return self.named[key]
        if key not in self.parameters.defaults:
            raise TypeError(f"missing a required argument: {key!r}")
        return self.parameters.defaults[key]

    def put(self, place: Any, value: Any) -> None:
        """Replace an argument, or those of a tuple of places."""
        if type(place) is tuple:
            for each, part in zip(place, value, strict=True):
                self.put(each, part)
            return
        key = self._key(place)
        if type(key) is int:
            self.given[key] = value
        else:
            self.named[key] = value

    def _key(self, place: Any) -> Any:
        """Return the number of what was given by its place, the name of any other."""
        name = self.parameters.named.get(place, place)
        number = self.parameters.places.get(name, name)
        return number if type(number) is int and (number < len(self.given) or name is number) else name


def _mapping(decorated: Any, parameters: _Parameters, function: Any, places: tuple[Any, ...], ending: bool) -> Any:
    @functools.wraps(decorated)
    def call(*given: Any, **named: Any) -> Any:
        arguments = _Call(parameters, given, named)
        with contextlib.ExitStack() as stack:
            for place in places:
                value = function(arguments.read(place))
                if ending:
                    value, end = value
                    stack.callback(end)
                arguments.put(place, value)
            return decorated(*arguments.given, **arguments.named)

    return call
