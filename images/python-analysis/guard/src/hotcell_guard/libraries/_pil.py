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
import os

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._changes import each
from hotcell_guard.libraries._native_files import without_descriptor
from hotcell_guard.libraries._pil_codecs import keep_codecs
from hotcell_guard.libraries._pil_natives import exact_of, keep_native_images, keep_operands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]

_PLUGINS: Final = [
    f"{each}ImagePlugin" for each in "Bmp Gif Jpeg Mpo Png Ppm Tiff WebP".split()
]
"""Modules of formats: BMP, GIF, JPEG (several in one file, too), PNG, PPM, TIFF and WebP. Others start programs (EPS),
take descriptors for native code (JPEG 2000), or are of nobody's interest here."""

_ABOUT_A_FACE: Final = frozenset(
    """
    family style ascent descent height x_ppem y_ppem glyphs
    getsize getlength getvarnames getvaraxes setvarname setvaraxes
    """.split()
)


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    return {
        "PIL.Image": each(means.arrays.keep_images, keep_native_images(means.natives), _keep_files, keep_codecs),
        "PIL.ImageFont": _keep_faces,
        "PIL.ImageMath": keep_operands,
    }


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
        found = getattr(self._face, name)
        if not callable(found):
            return found
        return lambda *args, **options: found(*map(exact_of, args), **options)

    def render(self, text: Any, fill: Any, mode: Any, *options: Any) -> Any:
        """Draw a text into an image that is made here."""
        exact, image = str.__str__(mode), self._image

        def fill_as_told(width: int, height: int) -> Any:
            image._decompression_bomb_check((width, height))
            return image.core.fill("RGBA" if exact == "RGBA" else "L", (width, height))

        return self._face.render(exact_of(text), fill_as_told, exact, *map(exact_of, options))
