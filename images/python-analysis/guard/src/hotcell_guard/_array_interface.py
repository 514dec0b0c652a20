"""Closes numpy's array interface: a dict with which an object says where its memory is.

numpy believes it: whoever brings ``{"data": (address, False), ...}`` to
``np.asarray``, as ``__array_interface__`` of any object, reads and writes any address.
A class statement cannot define the name, but many functions of libraries write
attributes whose names a script has made: make_dataclass, enum.Enum, cached_property,
keyword arguments of a model. So the interface itself is closed. numpy finds the array's
type in such a dict under the key "typestr", a constant of its native code. That
constant is overwritten by letters that nobody knows, of which numpy's own arrays get
to know when they describe themselves: what ``as_strided`` reads of one, it understands,
and every other dict is one without a type.

The other interface, ``__array_struct__``, is a PyCapsule, which Python cannot make.

The layout is that of the image's numpy. The image is pinned by digest, and each start
checks what it finds: exactly one such constant, in memory that cannot be written, and
that the interface is closed afterwards. Anything else is a fault.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct

from hotcell_guard._tables import PreparationFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["ArrayInterface", "ArrayInterfaceFault"]

_NAME: Final = "typestr"
_KEY: Final = _NAME.encode("ascii")
_ALPHABET: Final = bytes(range(ord("0"), ord("~")))
"""78 characters. With seven of them a guess is right once in 1.7e13, and a script makes
some 1e9 keys in the time that a run has."""

_ELF64: Final = b"\x7fELF\x02\x01"
_HEADER: Final = struct.Struct("<32xQ14xHH")
"""Of Elf64_Ehdr, after elf(5): e_phoff, e_phentsize, e_phnum."""
_HEADER_BYTES: Final = 64
_SEGMENT: Final = struct.Struct("<IIQQQQQQ")
"""Elf64_Phdr: type, flags, offset, vaddr, paddr, filesz, memsz, align."""
_LOAD: Final = 1
_READABLE: Final = 4  # and neither writable nor executable: the constants


class ArrayInterfaceFault(PreparationFault):
    """numpy is not as it was when this was written; the array interface is open."""


class _Place(ctypes.Structure):
    """glibc's Dl_info: the file that an address belongs to, and where it begins."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("at", ctypes.c_void_p),
    )


class _Memory:
    """Reads and writes memory. Bound when this module is imported: later the audit hook refuses ctypes."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None)
        address, size = ctypes.c_void_p, ctypes.c_size_t
        # libc["..."], unlike libc.memcpy, is an object of its own each time.
        self._copy_out = _bound(libc["memcpy"], address, [ctypes.c_char_p, address, size])
        self._copy_in = _bound(libc["memcpy"], address, [address, ctypes.c_char_p, size])
        self._memmem = _bound(libc["memmem"], address, [address, size, ctypes.c_char_p, size])
        self._protect = _bound(libc["mprotect"], ctypes.c_int, [address, size, ctypes.c_int])
        self._dladdr = _bound(libc["dladdr"], ctypes.c_int, [address, ctypes.POINTER(_Place)])

    def base(self, address: int, ends_with: bytes) -> int:
        """Return where the shared object begins that address belongs to."""
        place = _Place()
        if self._dladdr(address, ctypes.byref(place)) == 0 or ends_with not in (place.file or b"") or not place.base:
            raise ArrayInterfaceFault("numpy's native code is not where its classes are")
        return int(place.base)

    def find(self, start: int, end: int, text: bytes) -> list[int]:
        """Return the addresses between start and end at which text is."""
        found: list[int] = []
        while (start := self._memmem(start, end - start, text, len(text)) or end) < end:
            found.append(start)
            start += 1
        return found

    def read(self, address: int, size: int) -> bytes:
        """Return size bytes."""
        buffer = (ctypes.c_char * size)()
        self._copy_out(buffer, address, size)
        return buffer.raw

    def overwrite_constant(self, address: int, value: bytes) -> None:
        """Put value into pages that can only be read, and leave them so."""
        start = address & -mmap.PAGESIZE
        size = address + len(value) - start
        if self._protect(start, size, mmap.PROT_READ | mmap.PROT_WRITE) != 0:
            raise ArrayInterfaceFault("numpy's constants cannot be made writable")
        self._copy_in(address, value, len(value))
        if self._protect(start, size, mmap.PROT_READ) != 0:
            raise ArrayInterfaceFault("numpy's constants cannot be made read-only again")


def _bound(function: Any, result: Any, arguments: list[Any]) -> Callable[..., Any]:
    function.restype, function.argtypes = result, arguments
    bound: Callable[..., Any] = function
    return bound


_memory: _Memory | None = _Memory()


class ArrayInterface:
    """Closes the interface, and keeps it open for the libraries that need it."""

    def __init__(self) -> None:
        self._key = ""
        self._described: dict[int, tuple[object, dict[str, object]]] = {}

    def close(self, numpy: Any) -> None:
        """Close the interface of the numpy that has been loaded. Raises ArrayInterfaceFault. It works once."""
        global _memory  # noqa: PLW0603  # dropped so that nobody finds it
        memory, _memory = _memory, None
        if memory is None:
            raise ArrayInterfaceFault("the array interface has been closed already")
        secret = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in os.urandom(len(_KEY)))
        memory.overwrite_constant(_key_address(memory, numpy), secret)
        self._key = secret.decode("ascii")
        numpy.lib._stride_tricks_impl.DummyArray = self._holder(_base_class(self._described))
        _prove(numpy, self._key)

    def _holder(self, base_class: Any) -> Callable[..., object]:
        """Make what stands for DummyArray, by which as_strided makes its arrays."""
        described = self._described

        def describe(interface: dict[str, object], base: object = None) -> object:
            holder = base_class((base,))
            described[id(holder)] = holder, interface
            return holder

        return describe

    def keep_trees(self, trees: Any) -> None:
        """Let scipy's trees make arrays of what their own native objects hold."""
        numpy, key = trees.np, self._key
        kinds = (trees.ordered_pairs, trees.coo_entries)
        describe = numpy.lib._stride_tricks_impl.DummyArray

        def asarray(obj: Any, *args: Any, **options: Any) -> Any:
            if type(obj) in kinds:
                interface = dict(obj.__array_interface__)
                interface[key] = interface.pop(_NAME)
                obj = describe(interface, obj)
            return numpy.asarray(obj, *args, **options)

        own = type(numpy)("numpy")
        vars(own).update(vars(numpy), asarray=asarray)
        trees.np = own

    def keep_images(self, image: Any) -> None:
        """Let images of PIL become arrays and back. A subclass can say anything, so numpy compares sizes."""
        original, describe = image.fromarray, vars(image.Image)["__array_interface__"].fget

        def to_array(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
            import numpy  # which calls this

            said = describe(self)
            array = numpy.frombuffer(said["data"], said[_NAME]).reshape(said["shape"])
            return numpy.array(array, dtype=dtype, copy=copy)

        def fromarray(obj: Any, mode: str | None = None) -> Any:
            """Create an image memory from an object exporting the array interface."""
            import numpy

            array = numpy.asarray(obj)
            pixels = _Pixels(array.tobytes())
            pixels.__array_interface__ = {"shape": array.shape, _NAME: array.dtype.str}
            return original(pixels, mode)

        del image.Image.__array_interface__
        image.Image.__array__ = to_array
        image.fromarray = fromarray


class _Pixels(bytes):
    """Pixels that tell PIL what they are."""

    __array_interface__: dict[str, object]


def _key_address(memory: _Memory, numpy: Any) -> int:
    """Return the address of the one constant "typestr" in numpy's native code."""
    base = memory.base(id(numpy.ndarray), b"/_multiarray_umath.")
    needle = b"\0%b\0" % _KEY
    found = [each + 1 for start, size in _constants(memory, base) for each in memory.find(start, start + size, needle)]
    if len(found) != 1:
        raise ArrayInterfaceFault(f"numpy's native code has {len(found)} constants 'typestr', not one")
    return found[0]


def _constants(memory: _Memory, base: int) -> list[tuple[int, int]]:
    """Return the segments of constants of the shared object that begins at base."""
    header = memory.read(base, _HEADER_BYTES)
    table, size, count = _HEADER.unpack_from(header)
    if not header.startswith(_ELF64) or size != _SEGMENT.size:
        raise ArrayInterfaceFault("numpy's native code is not ELF of 64 bits")
    segments = (_SEGMENT.unpack(memory.read(base + table + each * size, size)) for each in range(count))
    return [(base + each[3], each[6]) for each in segments if each[0] == _LOAD and each[1] == _READABLE]


def _base_class(described: dict[int, tuple[object, dict[str, object]]]) -> type:
    """Make the class of what as_strided's arrays have as their ``base``.

    A script holds such objects. They cannot be changed (numpy's own lets go of the
    memory), they describe an array to numpy once only, and no copy of them does.
    """

    class Base(tuple):  # type: ignore[type-arg]  # no typing at run time
        """Keeps an array alive of which another one shows a part."""

        __slots__ = ()

        @property
        def __array_interface__(self) -> dict[str, object]:
            holder, interface = described.pop(id(self), (None, {}))
            if holder is not self:
                raise AttributeError("__array_interface__")
            return interface

    return Base


def _prove(numpy: Any, secret: str) -> None:
    """Fail unless foreign descriptions are refused and numpy's own still work."""
    array = numpy.arange(6, dtype="uint8")
    own = array.__array_interface__
    if secret not in own or _NAME in own:
        raise ArrayInterfaceFault("arrays do not describe themselves with the new key")
    foreign = {_NAME if name == secret else name: value for name, value in own.items()}
    if _is_believed(numpy, foreign):
        raise ArrayInterfaceFault("numpy still believes what objects say about memory")
    if not _is_believed(numpy, own):
        raise ArrayInterfaceFault("numpy does not know its own description of an array")
    if numpy.lib.stride_tricks.sliding_window_view(array, 5).tolist() != [[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]:
        raise ArrayInterfaceFault("views of arrays do not work any more")


def _is_believed(numpy: Any, interface: dict[str, object]) -> bool:
    described = type("Described", (), {"__array_interface__": interface})()
    try:
        return bool(numpy.asarray(described).shape == interface["shape"])
    except ValueError:
        return False
