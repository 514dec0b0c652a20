"""No class of the interpreter or of a library can be changed once user code runs.

A class is shared by all that use it: whoever can set one attribute of a library's class
decides what the library, and the guard where it uses it, does from then on. The guard
looks at what a script sets by itself, but libraries set attributes, too: setters that
are called with a class in place of an object, decorators, registries. So the
interpreter refuses: it has a flag for classes that nobody may change, which it gives to
those written in C, and which is given here to all that there are.
"""

from __future__ import annotations

import ctypes
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

__all__ = ["seal_classes"]

_IMMUTABLE: Final = 1 << 8
"""Py_TPFLAGS_IMMUTABLETYPE of CPython's Include/object.h. Subclasses do not inherit it."""

_AT: Final = 168
"""Where tp_flags stands in a PyTypeObject of a 64-bit CPython: Include/cpython/object.h."""

_WRITTEN: Final = {
    "matplotlib.backend_bases": "LocationEvent",
    "matplotlib.mathtext": "MathTextParser",  # the grammar, once it is needed
    "matplotlib.path": "Path",  # shapes, once they are asked for
    "pyparsing.core": "ParserElement",  # that it keeps results, which matplotlib's mathtext wants when it is loaded
    "numpy.polynomial._polybase": "ABCPolyBase",  # the style in which all are printed
    "scipy.fft._backend": "_ScipyBackend",  # from C
    "scipy.integrate._ode": "vode zvode lsoda",  # count themselves
    "scipy.stats._distribution_infrastructure": "ContinuousDistribution",  # properties, by its parameters
    "fontTools.ttLib.tables.otTables": "ContextSubst ContextPos ChainContextSubst ChainContextPos",  # how a font is subset
    "difflib": "HtmlDiff",
    "_frozen_importlib_external": "_NamespacePath",
    "unittest.case": "FunctionTestCase",  # what their clean-up raised
    "unittest.loader": "_FailedTest",
    "weakref": "finalize",  # that there is one
    # Objects become those of another class, which is for mutable ones only.
    "matplotlib.collections": "Collection",
    "matplotlib.lines": "Line2D",
    "matplotlib.patches": "Patch",
    "matplotlib.text": "Text",
    "numpy.ma.core": "MaskedArray",
    "PIL.ImageFile": "ImageFile",
    "scipy.interpolate._fitpack2": "UnivariateSpline",
    "zipfile": "ZipFile",
}
"""Classes that their own library changes while scripts run, by module. They and those that inherit from them stay as they are."""

_flags = vars(type)["__flags__"].__get__


def seal_classes() -> None:
    """Make every class immutable that there is now. RuntimeError if this interpreter has its flags elsewhere."""
    _settle_protocols()
    word = ctypes.c_ulong.from_address
    for each in _classes() - _written():
        place, flags = word(id(each) + _AT), _flags(each)
        if place.value != flags:
            raise RuntimeError("classes cannot be made immutable: the layout of this interpreter is unknown")
        place.value = flags | _IMMUTABLE


def _settle_protocols() -> None:
    """Give the classes below a protocol the ``__init__`` that they would take at their first object: later they cannot."""
    waiting = getattr(sys.modules.get("typing"), "_no_init_or_replace_init", None)
    for each in _classes() if waiting is not None else ():
        if type.__getattribute__(each, "__init__") is waiting and not type.__getattribute__(each, "_is_protocol"):
            found = (vars(base).get("__init__", waiting) for base in each.__mro__)
            each.__init__ = next(init for init in found if init is not waiting)  # type: ignore[misc]


def _classes() -> set[type]:
    return _below({object})


def _written() -> set[type]:
    return _below({
        vars(sys.modules[module])[name]
        for module, names in _WRITTEN.items()
        if module in sys.modules
        for name in names.split()
    })


def _below(kinds: set[type]) -> set[type]:
    """Return the classes and all that inherit from them."""
    found, left = set(kinds), list(kinds)
    while left:
        for each in type.__subclasses__(left.pop()):
            if each not in found:
                found.add(each)
                left.append(each)
    return found
