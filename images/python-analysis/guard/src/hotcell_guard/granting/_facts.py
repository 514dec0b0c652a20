"""What objects tell of themselves by special attributes, as plain values: functions their parameters, type hints their parts.

Neither the code of a function nor the real metaclasses that stand in a hint are given away.
"""

from __future__ import annotations

from types import ModuleType

from hotcell_guard.granting import _types
from hotcell_guard.granting._accessors import ABSENT, real_get
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._ownership import instance_dict
from hotcell_guard.granting._real import class_dict
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["FACTS", "absent", "fact", "has_namespace"]

_OF_CODE: Final = frozenset(name for name in _rules.GUARDED_ATTRIBUTES if name.startswith("__code__."))
_OF_HINTS: Final = ("__args__", "__metadata__", "__orig_bases__", "__parameters__")
FACTS: Final = _OF_CODE.union(_OF_HINTS)


def has_namespace(obj: Any) -> bool:
    """Tell whether an object has a ``__dict__``."""
    kind = type(obj)
    return issubclass(kind, type) or kind is ModuleType or instance_dict(obj) is not None


def absent(obj: Any, name: str, default: object) -> Any:
    """Return the default, or raise AttributeError as for what an object does not have."""
    if default is not ABSENT:
        return default
    raise AttributeError(f"{type(obj).__name__!r} object has no attribute {name!r}")


def fact(obj: Any, name: str, default: object, is_own_function: Callable[[Any], bool]) -> Any:
    """Return one of the attributes FACTS."""
    if name in _OF_CODE:
        return _of_code(obj, name.partition(".")[2], is_own_function)
    if name == "__orig_bases__" and not _wrote_bases(obj):
        return absent(obj, name, default)
    value = real_get(obj, name) if default is ABSENT else real_get(obj, name, default)
    return tuple(map(_types.shown, value)) if type(value) is tuple else _types.shown(value)


def _of_code(obj: Any, name: str, is_own_function: Callable[[Any], bool]) -> Any:
    if not is_own_function(obj):
        raise AttributeError("only a function that the script defines tells of its '__code__'; see inspect.signature()")
    value = real_get(real_get(obj, "__code__"), name)
    return tuple(each for each in value if each.isidentifier()) if type(value) is tuple else value


def _wrote_bases(obj: Any) -> bool:
    """Tell whether the script's own class statement named the bases: those of a library's class can be internal."""
    return issubclass(type(obj), type) and is_own_class(obj) and "__orig_bases__" in class_dict(obj)
