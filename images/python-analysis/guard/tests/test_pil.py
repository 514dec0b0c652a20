"""PIL's pictures: what scripts do with them, and what native code is not asked to do."""

from __future__ import annotations

import unittest
from collections import UserList

from hotcell_guard.libraries import _pil_codecs, _pil_natives
from tests.benign import policy
from tests.host import Host

REFUSED = """
import io
from PIL import Image, ImageChops, ImageFilter, ImageFont

class Word(str):
    __hash__ = str.__hash__
    def __eq__(self, other):
        return True

class Arguments(tuple):
    def __getitem__(self, place):
        return tuple(self) if isinstance(place, slice) else tuple.__getitem__(self, place)
    def __radd__(self, other):
        return tuple(self)

picture = Image.new("L", (8, 8), 65)
stream = io.BytesIO()
picture.save(stream, format="TIFF", compression="tiff_lzw")
class Two:
    def __init__(self, *sizes):
        self.streams = [io.BytesIO() for _ in sizes]
        for stream, size in zip(self.streams, sizes):
            Image.new("RGB", size).save(stream, "JPEG")
    def __getattr__(self, name):
        return getattr(self.streams[0], name)
two = Two((8, 8), (60000, 8))
first = Image.open(two)
two.streams.reverse()
if first.load() and first.copy().size != (8, 8):
    raise SystemExit("another picture")
opened = Image.open(stream)
opened.tile = [("libtiff", (0, 0, 8, 8), 0, Arguments(("L", "tiff_lzw", 1, 8)))]
opened.decoderconfig = Arguments(("L", "tiff_lzw", 1, 8))
picture.save(pixels := io.BytesIO(), format="PNG")
other = Image.open(pixels)
other.tile = [("jpeg2k", (0, 0, 8, 8), 0, ("j2k", 0, 0, 1, 1))]
face = ImageFont.load_default(12).font
def jpeg(size):
    stream = io.BytesIO()
    Image.new("RGB", size).save(stream, "JPEG")
    return stream.getvalue()
def narrow(tile, content=jpeg((60000, 8))):
    opened = Image.open(io.BytesIO(content))
    opened.tile = [tile]
    return opened
grown = Image.open(io.BytesIO(jpeg((8, 8))))
grown.fp.seek(0)
grown.fp.write(jpeg((60000, 8)))
class Own:
    mode, size, width, height, readonly = "RGB", (8, 8), 8, 8, 0
    im = picture.getdata()
    encoderconfig = ()
    def load(self):
        pass
    def _ensure_mutable(self):
        pass
def tiff(mode="RGB", **options):
    Image.new(mode, (8, 8)).save(io.BytesIO(), "TIFF", compression="tiff_lzw", **options)
for call, reason in (
    (lambda: picture.tobytes("libtiff", ("L", "raw", 1, "x", [], {})), "encoder libtiff not available"),
    (lambda: picture.tobytes(encoder_name="libtiff"), "encoder libtiff not available"),
    (lambda: picture.tobytes(Word("jpeg")), "encoder jpeg not available"),
    (lambda: Image.frombytes("L", (8, 8), b"", "libtiff", "L", "raw", 1, 0), "decoder libtiff not available"),
    (lambda: picture.frombytes(b"", decoder_name=Word("jpeg2k")), "decoder jpeg2k not available"),
    (lambda: Image.frombuffer("L", (99, 1), bytes(9), "raw", "L", 1, 1), "cannot decode image data"),
    (lambda: opened.load(), "function takes"),
    (lambda: other.load(), "decoder jpeg2k not available"),
    (lambda: picture.save("x.eps"), "unknown file extension"),
    (lambda: picture.save("x.pdf"), "unknown file extension"),
    (lambda: picture.save(io.BytesIO(), format="JPEG2000"), "JPEG2000"),
    (lambda: Image.open(io.BytesIO(b"%!PS-Adobe-3.0 EPSF-3.0\\n%%BoundingBox: 0 0 9 9\\n")), "cannot identify image file <_io.BytesIO"),
    (lambda: Image.open("/etc/hostname"), "may not be read"),
    (lambda: picture.save("/usr/x.png"), "may not be written"),
    (lambda: ImageFont.truetype("/etc/hostname", 12), "may not be read"),
    (lambda: ImageFont.FreeTypeFont(b"/etc/hostname", 12), "may not be read"),
    (lambda: ImageFont.truetype("nowhere.ttf", 12), "cannot open resource"),
    (lambda: picture.getdata().save_ppm("x"), "save_ppm"),
    (lambda: picture.getdata().unsafe_ptrs, "unsafe_ptrs"),
    (lambda: picture.getdata().id, "id"),
    (lambda: picture.getdata().expand(-5, 9), "between 0"),
    (lambda: picture.reduce((2**31 - 1, 1)), "between 1"),
    (lambda: picture.im.expand(3, -(2**31)), "between 0"),
    (lambda: Image.new("L", (0, 0)).filter(ImageFilter.MinFilter(3)), "no pixels"),
    (lambda: ImageChops.offset(Image.new("L", (0, 9)), 1), "no pixels"),
    (lambda: picture.filter(ImageFilter.BoxBlur(float("nan"))), "radius"),
    (lambda: picture.filter(ImageFilter.GaussianBlur((2, float("nan")))), "radius"),
    (lambda: picture.filter(ImageFilter.UnsharpMask(float("nan"))), "radius"),
    (lambda: picture.paste(2, (3, 2**31 - 1, 7, -5)), "between"),
    (lambda: picture.getdata().fillband(-1, 9), "between 0"),
    (lambda: picture.im.putband(picture.im, -1), "between 0"),
    (lambda: Image.new("P", (2, 2)).im.putpalette("RGBX", "BGR", bytes(9)), "of mode RGB"),
    (lambda: Image.Image.tobytes(Own(), "raw", "RGB"), "not of mode RGB"),
    (lambda: Image.Image.frombytes(Own(), bytes(192), "raw", "RGB"), "not of mode RGB"),
    (lambda: narrow(("jpeg", (0, 0, 8, 8), 0, ("RGB", ""))).load(), "60000 by 8 dots, which is not"),
    (lambda: narrow(("jpeg", (0, 0, 60000, 8), 0, ("I;16", ""))).load(), "cannot be read with"),
    (lambda: narrow(("jpeg", (0, 0, 60000, 8), 0, ("RGB", "", 16, 0))).load(), "cannot be read with"),
    (lambda: narrow(("raw", (-9, 0, 8, 8), 0, ("RGB", 0, 1))).load(), "cannot extend outside"),
    (lambda: narrow(("raw", (-(2**31), 0, 8, 8), 0, ("RGB", 0, 1))).load(), "cannot extend outside"),
    (lambda: grown.load(), "60000 by 8 dots, which is not"),
    (lambda: tiff(tiffinfo={270: 7}), "tag 270 cannot have the value 7"),
    (lambda: tiff(tiffinfo={305: 7.5}), "tag 305 cannot have the value"),
    (lambda: tiff(tiffinfo={33432: (1, 2)}), "tag 33432 cannot have the value"),
    (lambda: tiff(tiffinfo={700: 7}), "tag 700 cannot have the value"),
    (lambda: tiff(tiffinfo={297: (1, 2)}), "tag 297 cannot be in"),
    (lambda: tiff(tiffinfo={33723: bytes(9)}), "tag 33723 cannot be in"),
    (lambda: tiff(tiffinfo={256: 80000}), "another size"),
    (lambda: tiff(tiffinfo={257: 80000}), "another size"),
    (lambda: tiff("L", tiffinfo={277: 3}), "tag 277 does not fit"),
    (lambda: tiff(tiffinfo={262: 6}), "tag 262 does not fit"),
    (lambda: tiff("YCbCr", tiffinfo={530: (4, 1)}), "tag 530 does not fit"),
    (lambda: tiff("I;16", tiffinfo={320: (0,) * 768}), "tag 320 does not fit"),
    (lambda: tiff("L", tiffinfo={320: (0,) * 768}), "tag 320 does not fit"),
    (lambda: face.face, "face"),
    (lambda: face._face, "private"),
    (lambda: Image.core, "core"),
    (lambda: Image.OPEN, "OPEN"),
    (lambda: Image.register_open, "register_open"),
    (lambda: Image.preinit, "preinit"),
    (lambda: ImageFont.core, "core"),
):
    try:
        call()
    except Exception as error:
        assert reason in str(error), (reason, error)
    else:
        raise AssertionError(reason)
import importlib
for module in ("PIL.ImageGrab", "PIL.ImageShow", "PIL.ImageFile", "PIL.ImageMath", "PIL.EpsImagePlugin", "PIL.features"):
    try:
        importlib.import_module(module)
    except ImportError:
        continue
    raise AssertionError(module)
print("refused")
"""

TIFF = """
import io
from PIL import Image
for mode in "1 L LA P PA I I;16 F RGB RGBA CMYK YCbCr LAB".split():
    for compression in ("tiff_lzw", "tiff_adobe_deflate", "zstd"):
        stream = io.BytesIO()
        picture = Image.new(mode, (9, 7), 1 if mode in ("I", "I;16", "F") else None)
        picture.save(
            stream, "TIFF", compression=compression, dpi=(72, 50), description="one", software="two",
            icc_profile=b"a" + bytes(3) + b"b", tiffinfo={700: b"<x/>", 271: "maker", 274: 1, 33432: "who"},
        )
        opened = Image.open(stream)
        same = opened.size if mode == "YCbCr" else opened.tobytes()  # what is read of YCbCr is RGB
        assert same in (picture.size, picture.tobytes()), (mode, compression)
        assert opened.info["dpi"] == (72, 50) and opened.tag_v2[270] == "one" and opened.tag_v2[271] == "maker"
        assert opened.info["icc_profile"] == b"a" + bytes(3) + b"b" and opened.tag_v2[700] == b"<x/>"
        opened.save(again := io.BytesIO(), "TIFF", compression="tiff_lzw")
        assert Image.open(again).tobytes() == opened.tobytes()
for size in ((64, 40), (61, 33)):
    Image.effect_mandelbrot(size, (-2, -1, 1, 1), 50).convert("RGB").save(stream := io.BytesIO(), "JPEG", quality=80, exif=bytes(60000))
    for mode, scale in ((None, 1), (None, 2), ("L", 4), ("YCbCr", 8)):
        opened = Image.open(stream)
        opened.draft(mode, (size[0] // scale, size[1] // scale))
        opened.load()
        assert opened.size == (-(-size[0] // scale), -(-size[1] // scale)), (opened.size, scale)
print("the same")
"""

COPIED = """
import copy
import io
import numpy as np
from PIL import Image
held = bytearray(b"abcd")
picture = Image.frombuffer("L", (2, 2), held, "raw", "L", 0, 1)
array = np.arange(4, dtype="u1").reshape(2, 2)
other = Image.fromarray(array)
held[:] = b"x" * 400
array[:] = 9
assert picture.tobytes() == b"abcd" and other.tobytes() == bytes(range(4))
pixels = np.array(picture)
pixels[:] = 0
assert picture.tobytes() == b"abcd"
stream = io.BytesIO()
picture.save(stream, format="TIFF", compression="tiff_lzw")
opened = Image.open(stream)
assert copy.copy(opened.fp).read(0) == b"" and not hasattr(opened.fp, "fileno")

class Number:
    def fileno(self):
        return 1
    def read(self, size=-1):
        return stream.read(size)
    def seek(self, *place):
        return stream.seek(*place)
    def tell(self):
        return stream.tell()

stream.seek(0)
other = type(opened)(Number())
try:
    other.load()
except OSError:
    pass
else:
    raise AssertionError("a number was taken for a descriptor")
print("copied")
"""

LETTERS = """
from PIL import Image, ImageDraw, ImageFont
asked = []
font = ImageFont.load_default(20)
image, offset = font.font.render("W", lambda *size: asked.append(size), "RGBA", None, None, None, 0, None, 0, 0, 0)
assert not asked and image.mode == "RGBA", (asked, image)
assert font.font.family == font.getname()[0] and font.font.ascent > 0
larger = font.font_variant(size=40)
assert larger.getlength("W") > font.getlength("W")
picture = Image.new("RGB", (60, 30))
ImageDraw.Draw(picture).text((2, 2), "W", font=font, fill="white")
assert picture.getbbox() is not None
import matplotlib.font_manager
path = matplotlib.font_manager.findfont("DejaVu Sans")
named = ImageFont.truetype(path, 20)
assert named.path == path and named.getname() == ("DejaVu Sans", "Book")
print("drawn")
"""

BELIEVED = """
import io
from PIL import Image, ImageDraw, ImageFilter, ImageFont

class Longer(list):
    def __len__(self):
        return 256

class Four(list):
    def __len__(self):
        return 4

class Text(bytes):
    def __len__(self):
        return 10000

class Nine:
    def __len__(self):
        return 9
    def __getitem__(self, place):
        return 1.0
    def __iter__(self):
        return iter([1.0])

class Coloured(Image.Image):
    mode = property(lambda self: "RGB")
    size = property(lambda self: (30, 10))

grey = Image.new("L", (30, 10), 65)
other = Image.new("RGB", (30, 10))
other.im = grey.getdata()
heir = Coloured()
heir.im = grey.getdata()
picture = Image.new("L", (100, 100))
for call, reason in (
    (other.tobytes, "not of mode RGB"),
    (lambda: other.frombytes(bytes(900)), "not of mode RGB"),
    (lambda: other.save(io.BytesIO(), "PNG"), "not of mode RGB"),
    (lambda: other.save(io.BytesIO(), "TIFF", compression="tiff_lzw"), "not of mode RGB"),
    (heir.tobytes, "not of mode RGB"),
    (lambda: picture.im.point(Longer([1]), None), "number of lut entries"),
    (lambda: picture.filter(ImageFilter.Kernel((3, 3), Nine())), "bad kernel size"),
    (lambda: ImageFont.load_default(12).set_variation_by_axes(Longer([1.0])), "invalid argument"),
):
    try:
        call()
    except Exception as error:
        assert reason in str(error), (reason, error)
    else:
        raise AssertionError(reason)
picture.putdata(Text(b"abc"))
assert picture.tobytes() == b"abc" + bytes(9997)
ImageDraw.Draw(picture).line(Longer([1.0, 1.0, 2.0, 2.0]), fill=4)
picture.save(io.BytesIO(), "JPEG", qtables=Four([[1] * 64]))

class Wide(Image.Image):
    mode, size = "I", (3000, 3000)
    def getbbox(self, **options):
        return 0, 0, 3000, 3000
    def getim(self):
        return grey.getim()

class Frame:
    mode = "L"
    def __init__(self, image):
        self.held = image
    def __getattr__(self, name):
        return getattr(self.held, name)
    def convert(self, *given, **options):
        return self
    copy = remap_palette = convert
    def histogram(self):
        return [1] * 256
    def seek(self, frame):
        if frame:
            raise EOFError
    def _new(self, native):
        wide = Wide()
        wide.im = grey.getdata()
        return wide

frame, options = Frame(Image.new("RGBA", Wide.size)), {"save_all": True, "optimize": True, "transparency": 1}
try:
    Image.new("L", Wide.size, 1).save(io.BytesIO(), "GIF", append_images=[frame], **options)
except ValueError as error:
    assert "do not match" in str(error), error
frames = [Image.new("RGBA", (40, 40), (each, 9, 9, 255)) for each in range(0, 200, 60)]
frames[0].save(film := io.BytesIO(), "GIF", save_all=True, append_images=frames[1:])
assert Image.open(film).n_frames == len(frames)
print("not believed")
"""


class Pictures(unittest.TestCase):
    def setUp(self) -> None:
        host = Host()
        self.addCleanup(host.close)
        self.run_script = lambda code: host.run(code, imports=policy.imports("workflow-step"))

    def test_what_native_code_would_do_at_a_word_of_the_scripts_is_refused(self) -> None:
        run = self.run_script(REFUSED)
        self.assertEqual((run.stdout, run.error), ("refused\n", ""), run.stderr)

    def test_native_code_gets_what_is_what_it_says(self) -> None:
        run = self.run_script(BELIEVED)
        self.assertEqual((run.stdout, run.error), ("not believed\n", ""), run.stderr)

    def test_a_picture_has_pixels_of_its_own(self) -> None:
        run = self.run_script(COPIED)
        self.assertEqual((run.stdout, run.error), ("copied\n", ""), run.stderr)

    def test_compressed_pictures_are_what_they_were(self) -> None:
        run = self.run_script(TIFF)
        self.assertEqual((run.stdout, run.error), ("the same\n", ""), run.stderr)

    def test_letters_are_drawn_into_what_the_guard_makes(self) -> None:
        run = self.run_script(LETTERS)
        self.assertEqual((run.stdout, run.error), ("drawn\n", ""), run.stderr)


class Arguments(unittest.TestCase):
    def test_what_answers_otherwise_is_read_once(self) -> None:
        class Lying(tuple[int, ...]):
            __slots__ = ()

            def __getitem__(self, place: object) -> object:  # type: ignore[override]
                return (9, 9, 9)

        self.assertEqual(_pil_codecs._exact(Lying((1, 2)))[:1], (1,))
        self.assertEqual((_pil_codecs._exact(None), _pil_codecs._exact("L")), ((), ("L",)))

    def test_exact_values_are_of_exact_classes(self) -> None:
        class Text(str):
            __slots__ = ()

        class Items(list[object]):
            __slots__ = ()

            def __len__(self) -> int:
                return 9

        given = Items([Text("a"), (True, Items([b"b", bytearray(b"c")])), {"d": 1}, UserList([2, 3.5]), None])
        self.assertEqual(repr(_pil_natives.exact_of(given)), "['a', (True, [b'b', bytearray(b'c')]), {'d': 1}, [2, 3.5], None]")
        nothing = object()
        self.assertIs(_pil_natives.exact_of(nothing), nothing)
