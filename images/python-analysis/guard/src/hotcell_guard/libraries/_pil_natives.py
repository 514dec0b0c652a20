"""What PIL's native code is told: it believes a sequence about its length, and a number about a place.

A list of a script's class says that it has 256 items, and native code reads as many, whatever there is. So each
method of what native code shows (images, what draws, faces) gets exact copies, of which nobody else has a hold.
"""

from __future__ import annotations

import operator
import sys
from array import array
from types import MethodDescriptorType

from hotcell_guard.granting._real import class_dict, mro

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Change
    from hotcell_guard.libraries._natives import Natives

__all__ = ["exact_of", "keep_native_images", "keep_operands"]

_DROPPED: Final = ("id", "save_ppm", "unsafe_ptrs")
"""Of the native image: two addresses, and a writer that opens files by itself."""

_MOST_MARGIN: Final = 1 << 16
_MOST_RADIUS: Final = 1 << 16
_MOST_PLACE: Final = 1 << 29
"""Of a box's corner: the difference of two is a number of native code, too."""

_PLAIN: Final = frozenset((int, float, bool, complex, str, bytes, bytearray, memoryview, array, range, dict, type(None)))
"""Classes of what is what it says."""
_SEQUENCE: Final = ("__len__", "__getitem__")


def exact_of(value: Any, kept: frozenset[type] = _PLAIN) -> Any:
    """Return a value in which nothing says of itself what it is not, and that nobody changes while it is read."""
    kind = type(value)
    if kind is tuple and kept.issuperset(map(type, value)):
        return value
    if issubclass(kind, (tuple, list)):
        base: Any = list if issubclass(kind, list) else tuple
        items = base.__getitem__(value, slice(None))
        return base(items if kept.issuperset(map(type, items)) else [exact_of(each, kept) for each in items])
    if kind in kept:
        return value
    for told, exact in _EXACT:
        if issubclass(kind, told):
            return exact(value)
    if not all(any(name in class_dict(base) for base in mro(kind)) for name in _SEQUENCE) or _is_array(value):
        return value
    return [exact_of(each, kept) for each in value]


def _bytes(value: Any) -> bytes:
    return bytes(memoryview(value))


def _dict(value: Any) -> dict[Any, Any]:
    return dict(dict.items(value))


_EXACT: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (str, str.__str__),
    (bytes, _bytes),
    (bytearray, _bytes),
    (int, int.__int__),
    (float, float.__float__),
    (dict, _dict),
)


def _is_array(value: Any) -> bool:
    """Tell whether this is an array of numbers, of numpy's own class."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray and not value.dtype.hasobject


def keep_native_images(natives: Natives) -> Change:
    """Let the native image, which ``getdata`` and fonts give, tell no address, open no file, and get exact arguments."""

    def keep(image: Any) -> None:
        core = image.core
        one = core.new("1", (1, 1))
        kind, draws = type(one), type(core.draw(one, 0))
        natives.drop(kind, *_DROPPED)
        for each in (kind, draws):
            methods = {name: value for name, value in class_dict(each).items() if type(value) is MethodDescriptorType}
            natives.put(each, **{name: _told(method, _CHECKS.get(name), kind) for name, method in methods.items()})

    return keep


def keep_operands(module: Any) -> None:
    """Let functions over pixels, which GIF's frames are compared by, have images of PIL's own class.

    Native code reads as many pixels of each as one of them says that it has.
    """
    image = module.Image
    kind = type(image.core.new("1", (1, 1)))

    def __init__(self: Any, im: Any) -> None:  # noqa: N807
        native = im.im
        if type(native) is not kind:
            raise TypeError("an image is expected")
        self.im = image.Image()._new(native)

    module._Operand.__init__ = __init__


def _told(original: Any, check: Callable[..., tuple[Any, ...]] | None, image: type) -> Callable[..., Any]:
    """Return a method of native code that is told exact values, and numbers which it can work with."""
    kept = _PLAIN | {image}

    def method(self: Any, *args: Any) -> Any:
        exact = [exact_of(each, kept) for each in args]
        return original(self, *(exact if check is None else check(self, *exact)))

    method.__name__ = method.__qualname__ = original.__name__
    return method


def _number(value: Any, most: int, least: int = 0) -> int:
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"a number between {least} and {most} is expected, not {number}")
    return number


def _radius(value: Any) -> float:
    radius = float(value)
    if not 0 <= radius <= _MOST_RADIUS:  # which is false for NaN, too
        raise ValueError(f"a radius between 0 and {_MOST_RADIUS} is expected, not {radius}")
    return radius


def _check_filled(picture: Any) -> None:
    if 0 in picture.size:
        raise ValueError("the picture has no pixels")


def _check_expand(picture: Any, *margins: Any) -> tuple[Any, ...]:
    _check_filled(picture)
    return tuple(_number(each, _MOST_MARGIN) for each in margins)


def _check_offset(picture: Any, *steps: Any) -> tuple[Any, ...]:
    _check_filled(picture)
    return steps


def _check_blur(_: Any, radii: Any, *rest: Any) -> tuple[Any, ...]:
    return (*((tuple(map(_radius, radii)),) if isinstance(radii, tuple) else (_radius(radii),)), *rest)


def _check_reduce(_: Any, factors: Any, *rest: Any) -> tuple[Any, ...]:
    return (tuple(_number(each, _MOST_MARGIN, 1) for each in (factors if isinstance(factors, tuple) else (factors,) * 2)), *rest)


def _check_paste(_: Any, source: Any, box: Any, *mask: Any) -> tuple[Any, ...]:
    return (source, tuple(_number(each, _MOST_PLACE, -_MOST_PLACE) for each in box), *mask)


def _check_palette(_: Any, mode: Any, *rest: Any) -> tuple[Any, ...]:
    exact = str.__str__(mode)
    if exact not in ("RGB", "RGBA"):
        raise ValueError(f"a palette is of mode RGB or RGBA, not {exact!r}")
    return (exact, *rest)


def _check_band(picture: Any, band: Any, *rest: Any) -> tuple[Any, ...]:
    return (_number(band, picture.bands - 1), *rest)


def _check_band_of(picture: Any, source: Any, band: Any) -> tuple[Any, ...]:
    return source, _number(band, picture.bands - 1)


_CHECKS: Final[dict[str, Callable[..., tuple[Any, ...]]]] = {
    "expand": _check_expand,
    "offset": _check_offset,
    **dict.fromkeys(("box_blur", "gaussian_blur", "unsharp_mask"), _check_blur),
    "reduce": _check_reduce,
    "paste": _check_paste,
    "putpalette": _check_palette,
    **dict.fromkeys(("getband", "fillband"), _check_band),
    "putband": _check_band_of,
}
"""Methods of the native image, which a script has (``getdata``), and that write or read outside of it for some numbers; tried."""
