"""What a change to a library is, what changes are made with, and those that several libraries take."""

from __future__ import annotations

import sys
import types

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries import _importing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from hotcell_guard.granting._attributes import Attributes
    from hotcell_guard.libraries._array_interface import ArrayInterface
    from hotcell_guard.libraries._deputies import Deputies
    from hotcell_guard.libraries._evaluation import Evaluation
    from hotcell_guard.libraries._makers import Makers
    from hotcell_guard.libraries._models import Models
    from hotcell_guard.libraries._natives import Natives
    from hotcell_guard.vetting._rules import Rules

    Change = Callable[[Any], object]
    Changes = Mapping[str, Change]

__all__ = [
    "Means",
    "each",
    "generate_before_scripts",
    "hide_modules",
    "joined",
    "keep_own",
    "put",
    "refuse_special",
    "replace_held",
    "script_open",
]


class Means:
    """What changes are made with. Nobody keeps it: each change holds what it needs."""

    __slots__ = ("arrays", "attributes", "deputies", "evaluation", "makers", "models", "natives", "rules", "tracebacks")

    def __init__(
        self,
        rules: Rules,
        attributes: Attributes,
        natives: Natives,
        *,
        evaluation: Evaluation,
        deputies: Deputies,
        models: Models,
        arrays: ArrayInterface,
        makers: Makers,
        tracebacks: Mapping[str, object],
    ) -> None:
        self.rules = rules
        self.attributes = attributes
        self.natives = natives
        self.evaluation = evaluation
        self.deputies = deputies
        self.models = models
        self.arrays = arrays
        self.makers = makers
        self.tracebacks = tracebacks


def each(*changes: Change) -> Change:
    """Return the change that makes all of them, in their order."""

    def change_all(module: Any) -> None:
        for change in changes:
            change(module)

    return change_all


def joined(*parts: Changes) -> Changes:
    """Return the changes of all parts. A module that several of them name is changed by each of these, in their order."""
    found: dict[str, list[Change]] = {}
    for part in parts:
        for name, change in part.items():
            found.setdefault(name, []).append(change)
    return {name: each(*changes) for name, changes in found.items()}


def put(name: str, value: object) -> Change:
    """Return the change that gives a module another global of this name."""
    return lambda module: setattr(module, name, value)


def replace_held(replaced: Mapping[int, Any], package: str) -> None:
    """Put functions wherever loaded modules of a package hold others by name: those whose identities are the keys."""
    for module in [each for name, each in sys.modules.items() if f"{name}.".startswith(f"{package}.")]:
        for name, value in list(vars(module).items()):
            if id(value) in replaced:
                setattr(module, name, replaced[id(value)])


def script_open(means: Means) -> object:
    """Return the script's ``open``, for what the script names; Python's own, which the hook watches, where it has none."""
    return means.attributes.builtins.get("open", open)


def refuse_special(owner: Any) -> None:
    """Let ``__getattr__`` of a class that looks into its data answer no special name.

    numpy asks for ``__array_interface__``, an address of memory: a Series with a label
    of that name would give one.
    """
    original = vars(owner)["__getattr__"]

    @instead_of(original)
    def __getattr__(self: Any, name: str) -> Any:
        if name[:2] == "__" and name[-2:] == "__":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return original(self, name)

    owner.__getattr__ = __getattr__


def keep_own(kind: type, name: str) -> None:
    """Let a method that reads attributes by name do so for objects of its class only: their private ones, too."""
    original = vars(kind)[name]

    @instead_of(original)
    def method(self: Any, *args: Any) -> Any:
        if not issubclass(type(self), kind):
            raise TypeError(f"{name} of {kind.__name__!r} takes one of its own objects")
        return original(self, *args)

    setattr(kind, name, method)


def generate_before_scripts(module: Any) -> None:
    """Let a module make functions of text for itself and others before a script begins, and for none afterwards."""

    def kept(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            if _importing.has_begun():
                raise PermissionError(f"{module.__name__} makes no functions of text while a script runs")
            return function(*args)

        return run

    module.exec, module.eval = kept(exec), kept(eval)


def hide_modules(owner: Any) -> None:
    """Put copies that lead nowhere in place of the modules that a class holds."""
    for name, value in list(vars(owner).items()):
        if isinstance(value, types.ModuleType):
            setattr(owner, name, _without_modules(value))


def _without_modules(real: types.ModuleType) -> types.ModuleType:
    copy = types.ModuleType(real.__name__)
    for name, value in vars(real).items():
        if not name.startswith("__") and not isinstance(value, types.ModuleType):
            setattr(copy, name, value)
    return copy
