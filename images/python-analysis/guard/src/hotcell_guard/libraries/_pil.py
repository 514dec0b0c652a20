"""PIL: pictures that scripts open, draw and save, by native code that trusts what Python hands it.

Formats are those of a short list, and whoever opens or saves a picture gets the same. What native code would
read by a path or a descriptor is read here, where the audit hook is asked; what it would do to memory at a word of
the script's (map a buffer at an offset, draw a letter into whatever a function returns, make a margin of less than
nothing) it is not asked to do.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import operator
import os

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import each
from hotcell_guard.libraries._native_files import without_descriptor
from hotcell_guard.libraries._pil_codecs import keep_codecs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Change, Changes, Means
    from hotcell_guard.libraries._natives import Natives

__all__ = ["changes"]

_PLUGINS: Final = [
    f"{each}ImagePlugin" for each in "Bmp Gif Jpeg Mpo Png Ppm Tiff WebP".split()
]
"""Modules of formats: BMP, GIF, JPEG (several in one file, too), PNG, PPM, TIFF and WebP. Others start programs (EPS),
take descriptors for native code (JPEG 2000), or are of nobody's interest here."""

_DROPPED: Final = ("id", "save_ppm", "unsafe_ptrs")
"""Of the native image: two addresses, and a writer that opens files by itself."""

_MOST_MARGIN: Final = 1 << 16
_MOST_RADIUS: Final = 1 << 16
_MOST_PLACE: Final = 1 << 29
"""Of a box's corner: the difference of two is a number of native code, too."""

_ABOUT_A_FACE: Final = frozenset(
    """
    family style ascent descent height x_ppem y_ppem glyphs
    getsize getlength getvarnames getvaraxes setvarname setvaraxes
    """.split()
)


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "PIL.Image": each(means.arrays.keep_images, _keep_native_images(means.natives), _keep_files, keep_codecs),
        "PIL.ImageFont": _keep_faces,
    }


def _keep_native_images(natives: Natives) -> Change:
    """Let the native image, which ``getdata`` and fonts give, tell no address and open no file."""

    def keep(image: Any) -> None:
        kind = type(image.core.new("1", (1, 1)))
        natives.drop(kind, *_DROPPED)
        natives.put(kind, **{name: _bounded(vars(kind)[name], check) for name, check in _CHECKS.items()})

    return keep


def _bounded(original: Any, check: Callable[..., tuple[Any, ...]]) -> Callable[..., Any]:
    """Return a method of native images that is told exact numbers which it can work with."""

    def method(self: Any, *args: Any) -> Any:
        return original(self, *check(self, *args))

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


def _keep_files(image: Any) -> None:
    """Let PIL read and write by descriptor only files that it opens itself, in the formats of the list, and show nothing."""
    real_open, real_save = image.open, image.Image.save
    image._plugins = _PLUGINS
    image._MAPMODES = ()  # no memory of a file or a buffer under a picture: native code believes offsets and strides
    image._show = _show_nothing

    @instead_of(real_open)
    def open(fp: Any, mode: Any = "r", formats: Any = None) -> Any:  # noqa: A001
        path = _exact_path(fp) if _is_path(fp) else None
        content = _whole(fp) if path is None else _content(path)
        try:
            found = real_open(without_descriptor(io.BytesIO(content)), mode, formats)
        except image.UnidentifiedImageError:
            raise image.UnidentifiedImageError(f"cannot identify image file {(fp if path is None else path)!r}") from None
        if path is not None:
            found.filename = path
        return found

    @instead_of(real_save)
    def save(self: Any, fp: Any, format: Any = None, **params: Any) -> None:  # noqa: A002
        real_save(self, _exact_path(fp) if _is_path(fp) else without_descriptor(fp), format, **params)

    image.open, image.Image.save = open, save


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, bytes, os.PathLike))


def _content(path: str | bytes) -> bytes:
    with builtins.open(path, "rb") as file:
        return file.read()


def _exact_path(path: Any) -> str | bytes:
    """Return the exact text of a path, read once."""
    told = os.fspath(path)
    return str.__str__(told) if isinstance(told, str) else bytes(memoryview(told))


def _whole(file: Any) -> bytes:
    """Return what a file holds, read once: native code has room for the picture that the head of the file speaks of."""
    with contextlib.suppress(AttributeError, io.UnsupportedOperation):
        file.seek(0)
    return bytes(memoryview(file.read()))


def _show_nothing(image: Any, **options: Any) -> None:
    """Do what ``show`` does where no program shows pictures: nothing."""


def _keep_faces(module: Any) -> None:
    """Give FreeType the bytes of a font, which it would open by its path, and keep what draws letters from scripts."""
    original, kind = module.FreeTypeFont.__init__, module.FreeTypeFont

    @instead_of(original)
    def __init__(  # noqa: N807
        self: Any, font: Any, size: Any = 10, index: Any = 0, encoding: Any = "", layout_engine: Any = None
    ) -> None:
        path = _exact_path(font) if _is_path(font) else None
        original(self, font if path is None else _font_at(path), size, index, encoding, layout_engine)
        if path is not None:
            self.path = path
        self.font = _Face(self.font, module.Image)

    kind.__init__ = __init__


def _font_at(path: str | bytes) -> io.BytesIO:
    try:
        return io.BytesIO(_content(path))
    except PermissionError:
        raise  # it says what may be read
    except OSError:
        raise OSError("cannot open resource") from None


class _Face:
    """FreeType's face, without a way to have it draw into what is not as large or as deep as it was told.

    Its native code writes as many bytes for each dot as the mode says into whatever image a function returns.
    """

    __slots__ = ("_face", "_image")

    def __init__(self, face: Any, image: Any) -> None:
        self._face = face
        self._image = image

    def __getattr__(self, name: str) -> Any:
        if name not in _ABOUT_A_FACE:
            raise AttributeError(f"'Font' object has no attribute {name!r}")
        return getattr(self._face, name)

    def render(self, text: Any, fill: Any, mode: Any, *options: Any) -> Any:
        """Draw a text into an image that is made here."""
        exact, image = str.__str__(mode), self._image

        def fill_as_told(width: int, height: int) -> Any:
            image._decompression_bomb_check((width, height))
            return image.core.fill("RGBA" if exact == "RGBA" else "L", (width, height))

        return self._face.render(text, fill_as_told, exact, *options)
