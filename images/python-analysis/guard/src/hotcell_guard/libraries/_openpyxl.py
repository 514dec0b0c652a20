"""openpyxl."""

from __future__ import annotations

from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._wrapping import instead_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(_: Means) -> Changes:
    """Return the change to each module."""
    return {"openpyxl.descriptors.base": lambda module: _keep_names(module.Descriptor)}


def _keep_names(kind: Any) -> None:
    """Let a descriptor, whose name is everybody's to set, write no private attribute of a script's objects."""
    original = vars(kind)["__set__"]

    @instead_of(original)
    def __set__(self: Any, instance: Any, value: Any) -> None:  # noqa: N807
        name = self.name
        if is_own_class(type(instance)) and (type(name) is not str or name.startswith("_")):
            raise AttributeError(f"{name!r} is private; it cannot be set by a descriptor")
        original(self, instance, value)

    kind.__set__ = __set__
