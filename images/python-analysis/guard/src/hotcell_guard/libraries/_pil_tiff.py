"""Tags of compressed TIFF files, in the form in which libtiff expects each.

libtiff takes from a tag's number alone what its value is: where it expects a text, a number is an address to it. And it
reads as much of each row as the tags of bits, samples and colours say, whatever the row has. So each tag has its kind
here, from libtiff's own list (tif_dirinfo.c), and those that tell the size of a row are compared with the pixels.
"""

from __future__ import annotations

import operator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    type Tags = list[tuple[int, Any]]

__all__ = ["exact_tags", "size_of"]

_WIDTH: Final = 256
_LENGTH: Final = 257
_ONE_SAMPLE: Final = 1
_ONE_PLANE: Final = 1
_FULL_COLOURS: Final = (1, 1)
"""Of the tags 277 and 284 (where they are missing) and 530 (which means halved colours where it is): what Pillow's
encoder writes."""

_PIXELS: Final[dict[str, tuple[int, int, tuple[int, ...]]]] = {
    "1": (1, 1, (0, 1)),
    "L": (8, 1, (0, 1)),
    "I;16": (16, 1, (0, 1)),
    "I;16N": (16, 1, (0, 1)),
    "I;32S": (32, 1, (0, 1)),
    "F;32F": (32, 1, (0, 1)),
    "LA": (8, 2, (0, 1)),
    "P": (8, 1, (3,)),
    "PA": (8, 2, (3,)),
    "RGB": (8, 3, (2,)),
    "RGBX": (8, 4, (2,)),
    "RGBA": (8, 4, (2,)),
    "CMYK": (8, 4, (5,)),
    "YCbCr": (8, 3, (6,)),
    "LAB": (8, 3, (8,)),
}
"""Bits of a sample, samples of a dot and photometric interpretations, by raw mode (Pillow's SAVE_INFO)."""

_COMPRESSIONS: Final = frozenset((1, 2, 3, 4, 5, 7, 8, 32773, 32946, 34925, 50000, 50001))
"""None, CCITT's three, LZW, JPEG, deflate, PackBits, deflate again, LZMA, Zstandard and WebP."""

_TEXT: Final = 2
_BYTE: Final = 1
_SHORT: Final = 3
_LONG: Final = 4
_UNDEFINED: Final = 7
"""Types of TIFF."""


def _integer(value: Any) -> int:
    """Return a number below 2**32, which PIL reads as a tuple of one from some files."""
    number = operator.index(value[0] if isinstance(value, tuple) and len(value) == 1 else value)
    if not 0 <= number < 1 << 32:
        raise ValueError(number)
    return number


def _integers(length: int) -> Callable[[Any], tuple[int, ...]]:
    def exact(value: Any) -> tuple[int, ...]:
        numbers = tuple(_integer(each) for each in value)
        if len(numbers) != length:
            raise ValueError(numbers)
        return numbers

    return exact


def _real(value: Any) -> float:
    return float(value[0] if isinstance(value, tuple) and len(value) == 1 else value)


def _bytes(value: Any) -> bytes:
    return bytes(memoryview(value))


def _ended(value: Any) -> bytes:
    """Return a text as C has it."""
    return _bytes(value).partition(b"\0")[0] + b"\0"


_KINDS: Final[dict[int, tuple[Callable[[Any], Any], int | None]]] = {
    **dict.fromkeys((256, 257, 258, 259, 262, 263, 266, 274, 277, 278, 280, 281, 284, 296, 339, 65537), (_integer, None)),
    254: (_integer, _LONG),
    317: (_integer, _SHORT),
    **dict.fromkeys((282, 283, 286, 287), (_real, None)),
    **dict.fromkeys((270, 271, 272, 285, 305, 306, 315, 316, 33432), (_ended, _TEXT)),
    269: (_ended, None),
    320: (_integers(3 * 256), None),
    338: (_integers(1), None),
    530: (_integers(2), None),
    700: (_bytes, _BYTE),
    34377: (_bytes, _BYTE),
    34675: (_bytes, _UNDEFINED),
}
"""What each tag's value is made, and its type where Pillow's encoder does not know it by itself."""


def exact_tags(rawmode: str, tags: Any) -> tuple[Tags, dict[int, int]]:
    """Return tags and types for Pillow's encoder, of exact values that libtiff can work with.

    Raises ValueError for a tag without a kind, for a value of another kind, and for one that does not fit the pixels.
    """
    told: Tags = []
    types: dict[int, int] = {}
    for key, value in tags:
        tag = operator.index(key)
        if tag not in _KINDS:
            raise ValueError(f"TIFF tag {tag} cannot be in a compressed file here: leave it out, or save without compression")
        exact, kind = _KINDS[tag]
        try:
            told.append((tag, exact(value)))
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"TIFF tag {tag} cannot have the value {value!r:.80}") from None
        if kind is not None:
            types[tag] = kind
    _check_rows(rawmode, dict(told))
    return told, types


def _check_rows(rawmode: str, tags: dict[int, Any]) -> None:
    if rawmode not in _PIXELS:
        raise ValueError(f"a compressed TIFF is not made of pixels {rawmode!r}")
    bits, samples, colours = _PIXELS[rawmode]
    for tag, told, expected in (
        (258, tags.get(258), (bits,)),
        (259, tags.get(259), _COMPRESSIONS),
        (262, tags.get(262), colours),
        (277, tags.get(277, _ONE_SAMPLE), (samples,)),
        (284, tags.get(284, _ONE_PLANE), (_ONE_PLANE,)),
        (320, 320 in tags, (rawmode in ("P", "PA"),)),
        (530, tags.get(530), (_FULL_COLOURS,) if rawmode == "YCbCr" else (None, _FULL_COLOURS)),
    ):
        if told not in expected:
            raise ValueError(f"TIFF tag {tag} does not fit a compressed picture of mode {rawmode}: leave it out")


def size_of(tags: Tags) -> tuple[int, int]:
    """Return the width and the length, in dots, that tags tell."""
    found = dict(tags)
    return found.get(_WIDTH, 0), found.get(_LENGTH, 0)
