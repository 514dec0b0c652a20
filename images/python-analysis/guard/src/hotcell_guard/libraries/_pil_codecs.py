"""PIL's codecs: native code that believes the mode, the place and the arguments that it is told.

A codec takes its bytes a dot from a mode, the memory from a native image, and neither looks at the other. So each is
told the native image's own mode, and a place within it. libjpeg writes rows as wide as the head of its data says, and
libtiff takes what a tag means from its number alone: a number where it expects a text is an address to it.
"""

from __future__ import annotations

import operator

from hotcell_guard.granting._wrapping import instead_of
from hotcell_guard.libraries._pil_natives import exact_of
from hotcell_guard.libraries._pil_tiff import exact_tags, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["keep_codecs"]

_DECODERS: Final = frozenset("raw zip jpeg gif bmp_rle packbits ppm ppm_plain tiff_lzw libtiff".split())
_ENCODERS: Final = frozenset("raw zip jpeg gif packbits libtiff xbm".split())
"""Native code that the formats use, and the bitmaps of X11 (``tobitmap``)."""
_ASKED_FOR: Final = frozenset(("raw", "xbm"))
"""Native code that a script may name: what else there is, is for whole files. libtiff's takes a descriptor."""
_DESCRIPTOR: Final = 2
"""Where libtiff's codecs take the number of a descriptor, after a raw mode and a compression."""
_ABOUT_A_CODEC: Final = frozenset(
    """
    setimage setfd decode encode cleanup handles_eof pulls_fd pushes_fd encode_to_pyfd
    """.split()
)


def keep_codecs(image: Any) -> None:
    """Let native code be named by those who read and write whole files, and a script name what takes pixels alone."""
    decoder, encoder = image._getdecoder, image._getencoder
    native, kind = type(image.core.new("1", (1, 1))), image.Image

    def _getdecoder(mode: Any, decoder_name: Any, args: Any, extra: Any = ()) -> Any:
        mode, name, given = _text(mode), _listed(decoder_name, _DECODERS, "decoder"), (*_exact(args), *_exact(extra))
        if name == "libtiff":
            given = (*given[:_DESCRIPTOR], 0, *given[_DESCRIPTOR + 1 :])
        if name == "jpeg":
            given = _jpeg_arguments(*given)
            return _JpegDecoder(decoder(mode, name, given), native, mode, given[2])
        return _Codec(decoder(mode, name, given), native, mode)

    def _getencoder(mode: Any, encoder_name: Any, args: Any, extra: Any = ()) -> Any:
        mode, name, given = _text(mode), _listed(encoder_name, _ENCODERS, "encoder"), (*_exact(args), *_exact(extra))
        if name == "libtiff":
            given = _tiff_arguments(*given)
            return _TiffEncoder(encoder(mode, name, given), native, mode, given[4])
        return _Codec(encoder(mode, name, given), native, mode)

    image._getdecoder, image._getencoder = _getdecoder, _getencoder
    kind.tobytes = _named_plainly(kind.tobytes, 0, "encoder")
    kind.frombytes = _named_plainly(kind.frombytes, 1, "decoder")


def _text(value: Any) -> str:
    return str.__str__(value)


def _exact(args: Any) -> tuple[Any, ...]:
    """Return arguments as PIL takes them, in a tuple in which nothing says something else when it is read again."""
    if args is None:
        return ()
    return exact_of(args) if isinstance(args, tuple) else (exact_of(args),)


def _named_plainly(original: Callable[..., Any], at: int, what: str) -> Callable[..., Any]:
    """Return a method whose argument at a place, or of this name, is one of the codecs that a script may name."""
    key = f"{what}_name"

    @instead_of(original)
    def method(self: Any, *args: Any, **options: Any) -> Any:
        if key in options:
            options[key] = _listed(options[key], _ASKED_FOR, what)
        if len(args) > at:
            args = (*args[:at], _listed(args[at], _ASKED_FOR, what), *args[at + 1 :])
        return original(self, *args, **options)

    return method


def _listed(name: Any, names: frozenset[str], what: str) -> str:
    exact = _text(name)
    if exact not in names:
        raise OSError(f"{what} {exact} not available")
    return exact


class _Codec:
    """A codec that works on native images of its mode alone, and within them."""

    __slots__ = ("_codec", "_mode", "_native", "size")

    def __init__(self, codec: Any, native: type, mode: str) -> None:
        self._codec = codec
        self._native = native
        self._mode = mode
        self.size = (0, 0)

    def __getattr__(self, name: str) -> Any:
        if name not in _ABOUT_A_CODEC:
            raise AttributeError(f"a codec has no attribute {name!r}")
        return getattr(self._codec, name)

    def setimage(self, im: Any, extents: Any = None) -> None:
        """Work on a native image, or on the part of it that a box tells: left, upper, right and lower edge."""
        native: Any = self._native
        if type(im) is not native or im.mode != self._mode:
            raise ValueError(f"the pixels are not of mode {self._mode}")
        width, height = im.size
        box = (0, 0, width, height) if extents is None else tuple(operator.index(each) for each in extents)
        left, upper, right, lower = box if any(box) else (0, 0, width, height)
        if not (0 <= left < right <= width and 0 <= upper < lower <= height):
            raise SystemError("tile cannot extend outside image")  # as native code says it
        self.size = (right - left, lower - upper)
        self._take(im, (left, upper, right, lower))

    def _take(self, im: Any, box: tuple[int, int, int, int]) -> None:
        self._codec.setimage(im, box)


_JPEG_MODES: Final = ("L", "RGB", "YCbCr", "CMYK", "CMYK;I")
"""Raw modes for which libjpeg is asked for as many bytes a dot as the raw mode has. For others it writes what it likes."""
_SCALES: Final = (1, 2, 4, 8)

_SOI: Final = b"\xff\xd8"
_SOS: Final = 0xDA
_SIZES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers with the size of the picture: SOF0 to SOF15 without DHT, JPG and DAC."""
_ALONE: Final = frozenset((0x01, *range(0xD0, 0xDA)))
"""Markers without a length: TEM, RST0 to RST7, and SOI and EOI, which end the head."""


def _jpeg_arguments(rawmode: Any, jpegmode: Any = "", scale: Any = 1, draft: Any = 0) -> tuple[Any, ...]:
    exact = _text(rawmode), _text(jpegmode), operator.index(scale), operator.index(draft)
    if exact[0] not in _JPEG_MODES or exact[1] or exact[2] not in _SCALES:
        raise ValueError(f"a JPEG cannot be read with {exact!r}")
    return exact


class _JpegDecoder(_Codec):
    """libjpeg, once the head of the data has told the width that there is room for."""

    __slots__ = ("_known", "_scale")

    def __init__(self, codec: Any, native: type, mode: str, scale: int) -> None:
        super().__init__(codec, native, mode)
        self._scale = scale
        self._known = False

    def decode(self, data: Any) -> tuple[int, int]:
        """Decode exact bytes: all that libjpeg has not taken yet, so that the first call sees the whole head."""
        data = bytes(memoryview(data))
        if not self._known:
            size = _jpeg_size(data)
            if size is None:
                return 0, 0  # more is needed: what is given now comes again
            width, height = size
            if (-(-width // self._scale), -(-height // self._scale)) != self.size:
                raise ValueError(f"the data is a JPEG of {width} by {height} dots, which is not the size of the picture")
            self._known = True
        taken, error = self._codec.decode(data)
        return taken, error


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height that libjpeg will read from the head of a JPEG, or None if the head goes on.

    Markers are found as libjpeg finds them (its ``next_marker``): what is not 0xff is skipped, and so is ``ff 00``.
    """
    if data[:2] != _SOI[: len(data)]:
        raise ValueError("the data is no JPEG")
    sizes: list[tuple[int, int]] = []
    at = 2
    while (at := data.find(b"\xff", at)) >= 0:
        while data[at : at + 1] == b"\xff":
            at += 1
        marker = data[at] if at < len(data) else None
        if marker is None:
            return None
        at += 1
        if marker == 0:
            continue
        if marker == _SOS and sizes:
            return sizes[0]
        if marker in (_SOS, _SOI[1], 0xD9):
            raise ValueError("the data is a JPEG without a picture")
        if marker in _ALONE:
            continue
        if at + 2 > len(data):
            return None
        length = int.from_bytes(data[at : at + 2])
        if at + max(length, 2) > len(data):
            return None
        if marker in _SIZES:
            if sizes or length < 8:
                raise ValueError("the data is a JPEG of two sizes")
            sizes.append((int.from_bytes(data[at + 5 : at + 7]), int.from_bytes(data[at + 3 : at + 5])))
        at += max(length, 2)
    return None


def _tiff_arguments(rawmode: Any, compression: Any, descriptor: Any, name: Any, tags: Any, _: Any) -> tuple[Any, ...]:
    rawmode = _text(rawmode)
    return rawmode, _text(compression), operator.index(descriptor), _text(name), *exact_tags(rawmode, tags)


class _TiffEncoder(_Codec):
    """libtiff's encoder, of a picture that is as large as its tags say."""

    __slots__ = ("_tags",)

    def __init__(self, codec: Any, native: type, mode: str, tags: list[tuple[int, Any]]) -> None:
        super().__init__(codec, native, mode)
        self._tags = tags

    def _take(self, im: Any, box: tuple[int, int, int, int]) -> None:
        if box != (0, 0, *im.size) or size_of(self._tags) != im.size:
            raise ValueError("the tags of a TIFF tell another size than the picture's")
        super()._take(im, box)
