"""Private attributes of matplotlib's own objects that a script may use: plain values, and what is drawn.

Examples read them (``path._interpolation_steps``, ``legend._legend_box``) and, of drawings in three
dimensions, set them. What comes back is a number, a text, an array or an object of the kinds that
public names (``get_children``, ``transData``) give as well, and of a list of such a tuple: never a canvas, a renderer,
a function, a container that matplotlib keeps books in, or a module.
"""

from __future__ import annotations

import sys

from hotcell_guard.granting import _privates
from hotcell_guard.granting._own import is_own_class
from hotcell_guard.granting._real import class_dict, mro
from hotcell_guard.vetting import _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

__all__ = ["ABSENT", "lacks", "may_set", "of_class", "of_object"]

ABSENT: Final = object()

_PLOTTERS: Final = ("matplotlib.", "mpl_toolkits.")
_PLAIN: Final = frozenset((bool, int, float, complex, str, type(None)))
_MOST: Final = 1000
_DEEPEST: Final = 4

_KINDS: Final = (
    ("matplotlib.artist", "Artist"),
    ("matplotlib.transforms", "TransformNode"),
    ("matplotlib.path", "Path"),
    ("matplotlib.markers", "MarkerStyle"),
    ("matplotlib.colors", "Normalize"),
    ("matplotlib.colors", "Colormap"),
    ("matplotlib.colorbar", "Colorbar"),
    ("matplotlib.ticker", "TickHelper"),
    ("matplotlib.gridspec", "GridSpecBase"),
    ("matplotlib.gridspec", "SubplotSpec"),
    ("matplotlib.font_manager", "FontProperties"),
    ("matplotlib.axes._base", "_process_plot_var_args"),
)
"""Classes whose objects public attributes and methods give; the last is the cycle of colours of Axes."""

_SET: Final = frozenset(
    """
    _offsets3d _facecolors2d _edgecolors2d _facecolor3d _edgecolor3d _verts3d _sizes
    _draw_was_started _get_lines _get_patches_for_fill _ncols
    """.split()
)
"""What scripts set of an object of a library's: positions, sizes and colours that are projected and drawn, by code that
takes whatever ``set_offsets`` and ``set_facecolor`` take; that an animation need not warn; whose cycle of colours Axes
take; and how many columns a legend has."""

_LENT: Final = _SET | {"_axinfo", "_colorbar_info"}
"""What is handed on whatever it holds: what the script has set, and tables of numbers, colours and names."""

_BEHIND: Final = {"_loc": "_loc_real"}
"""What a property answers with: a legend's place."""

_STYLES: Final = "matplotlib.patches"


def of_object(obj: Any, held: Mapping[str, Any] | None, name: str) -> object:
    """Return what an object of matplotlib's holds under a private name, or ABSENT. held is the object's own dict."""
    own = _BEHIND.get(name, name)
    value = ABSENT if held is None else held.get(own, ABSENT)
    if value is ABSENT or not _is_of_matplotlib(type(obj)) or _is_answered(type(obj), own):
        return ABSENT
    if type(value) is list:
        value = tuple(value)
    return value if name in _LENT or _is_drawn(value, 0) else ABSENT


def of_class(kind: type, name: str) -> object:
    """Return what a class of styles holds under a name of ``_rules.STYLES``, or ABSENT."""
    if name not in _rules.STYLES:
        return ABSENT
    for base in mro(kind):
        if name in class_dict(base):
            return class_dict(base)[name] if _privates.home(base) == _STYLES and not is_own_class(base) else ABSENT
    return ABSENT


def lacks(obj: Any, held: Mapping[str, Any] | None, name: str) -> bool:
    """Tell whether an object of matplotlib's has no attribute of a name at all."""
    kind = type(obj)
    known = (base for base in mro(kind) if base is not object)
    if held is None or name in held or not _is_of_matplotlib(kind):
        return False
    return not any(each in class_dict(base) for base in known for each in (name, "__getattr__", "__getattribute__"))


def may_set(kind: type, name: str) -> bool:
    """Tell whether a script may set a private attribute of the objects of a class that is not its own."""
    return name in _SET and _is_of_matplotlib(kind) and not _is_answered(kind, name)


def _is_of_matplotlib(kind: type) -> bool:
    """Tell whether a class, or one above it, is matplotlib's, and none another library's."""
    homes = [_privates.home(base) for base in mro(kind) if not is_own_class(base)]
    others = [home for home in homes if home not in _privates.PLAIN_MODULES]
    return bool(others) and all(type(home) is str and home.startswith(_PLOTTERS) for home in others)


def _is_answered(kind: type, name: str) -> bool:
    """Tell whether a class answers for the name: a property stands before what the object holds."""
    return any(hasattr(type(class_dict(base)[name]), "__set__") for base in mro(kind) if name in class_dict(base))


def _is_drawn(value: Any, depth: int) -> bool:
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind is tuple:
        return depth < _DEEPEST and len(value) <= _MOST and all(_is_drawn(each, depth + 1) for each in value)
    return _is_array(kind, value) or any(base in _kinds() for base in mro(kind))


def _is_array(kind: type, value: Any) -> bool:
    numpy: Any = sys.modules.get("numpy")
    if numpy is None:
        return False
    if kind is numpy.ndarray or kind is numpy.ma.MaskedArray:
        return not value.dtype.hasobject
    return issubclass(kind, numpy.generic) and kind.__module__ == "numpy"


def _kinds() -> frozenset[Any]:
    return frozenset(vars(sys.modules[module])[name] for module, name in _KINDS if module in sys.modules)
