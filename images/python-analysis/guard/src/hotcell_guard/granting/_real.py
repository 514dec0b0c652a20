"""What Python keeps of a class, read without asking the class: its metaclass may answer anything."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["class_dict", "mro"]

class_dict: Final = vars(type)["__dict__"].__get__
"""The namespace of the class itself, read only; without those of its bases."""

mro: Final = vars(type)["__mro__"].__get__
"""The class and its bases, in the order in which Python looks for an attribute."""
