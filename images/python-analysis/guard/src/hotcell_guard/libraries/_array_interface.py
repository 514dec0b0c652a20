"""Closes numpy's array interface: a dict with which an object says where its memory is.

numpy believes it: whoever brings ``{"data": (address, False), ...}`` to
``np.asarray``, as ``__array_interface__`` of any object, reads and writes any address.
A class statement cannot define the name, but many functions of libraries write
attributes whose names a script has made: make_dataclass, enum.Enum, cached_property,
keyword arguments of a model. So the interface itself is closed. numpy finds the array's
type in such a dict under the key "typestr", a constant of its native code. That
constant is overwritten by bytes that are no UTF-8: no text has that name, so every
dict is one without a type. There is no key that anybody could learn.

Arrays go on describing themselves to whoever reads it in Python. Those who needed
numpy to believe a description have a way of their own, which uses none.

The other interface, ``__array_struct__``, is a PyCapsule, which Python cannot make, and
arrays give none any more. ``ndarray.strides``, which numpy checks against too much memory
when an array begins in the middle of a buffer, is checked here first.

The layout is that of the image's numpy. The image is pinned by digest, and each start
checks what it finds: exactly one such constant, in memory that cannot be written, and
that the interface is closed afterwards. Anything else is a fault.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
import struct

from hotcell_guard.granting._tables import PreparationFault
from hotcell_guard.libraries import _object_arrays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.libraries._natives import Natives

__all__ = ["ArrayInterface", "ArrayInterfaceFault"]

_NAME: Final = "typestr"
_KEY: Final = _NAME.encode("ascii")
_NO_TEXT: Final = b"\xff" * len(_KEY)
"""No UTF-8 has this byte, so Python makes no str of it."""

_ELF64: Final = b"\x7fELF\x02\x01"
_HEADER: Final = struct.Struct("<32xQ14xHH")
"""Of Elf64_Ehdr, after elf(5): e_phoff, e_phentsize, e_phnum."""
_HEADER_BYTES: Final = 64
_SEGMENT: Final = struct.Struct("<IIQQQQQQ")
"""Elf64_Phdr: type, flags, offset, vaddr, paddr, filesz, memsz, align."""
_LOAD: Final = 1
_EXECUTABLE: Final = 1
_WRITABLE: Final = 2
_READABLE: Final = 4


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
        """Put value into pages that cannot be written, and leave them so.

        They cannot be executed any more, which constants need not, not even where the
        linker has put them behind the code: seccomp lets nobody make pages executable.
        """
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
    """Closes the interface, and gives those who used it honestly another way."""

    def __init__(self, natives: Natives) -> None:
        self._natives = natives

    def close(self, numpy: Any) -> None:
        """Close the interface of the numpy that has been loaded. Raises ArrayInterfaceFault. It works once."""
        global _memory  # dropped so that nobody finds it
        memory, _memory = _memory, None
        if memory is None:
            raise ArrayInterfaceFault("the array interface has been closed already")
        memory.overwrite_constant(_key_address(memory, numpy), _NO_TEXT)
        strides, fields = vars(numpy.ndarray)["strides"], _Fields(numpy)
        describe, restride = _describer(numpy.ndarray), _restrider(fields)
        _object_arrays.keep(self._natives, numpy)
        self._natives.put(
            numpy.ndarray,
            __array_interface__=property(describe),
            strides=property(strides.__get__, restride, doc=strides.__doc__),
        )
        for kind in (numpy.ndarray, numpy.generic):
            self._natives.drop(kind, "__array_struct__")
        _restride_in_place(numpy.lib._stride_tricks_impl, _strider(numpy, fields))
        _prove(numpy)

    def keep_trees(self, trees: Any) -> None:
        """Let scipy's trees make arrays of what their own native objects hold."""
        numpy = trees.np
        # In no order that was promised: a set has none.
        pairs = {trees.ordered_pairs: lambda found: numpy.array(sorted(found.set()), numpy.intp).reshape(-1, 2)}
        kind = [("i", numpy.intp), ("j", numpy.intp), ("v", numpy.float64)]
        entries = {trees.coo_entries: lambda found: numpy.array([(*key, v) for key, v in found.dict().items()], kind)}
        makers = pairs | entries

        def asarray(obj: Any, *args: Any, **options: Any) -> Any:
            maker = makers.get(type(obj))
            return numpy.asarray(obj, *args, **options) if maker is None else maker(obj)

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

    def keep_buffers(self, interchange: Any) -> None:
        """Let pandas make arrays of the buffers that it made itself, as long as they are.

        Its own function believes ``ptr`` and the length of any object that has the methods
        of the interchange protocol, and plotly asks any object for it.
        """
        numpy, kinds = interchange.np, interchange._NP_DTYPES
        buffer_class = importlib.import_module("pandas.core.interchange.buffer").PandasBuffer

        def buffer_to_ndarray(buffer: Any, dtype: Any, *, length: int, offset: int = 0) -> Any:
            """Build a NumPy array from the passed buffer."""
            column = numpy.dtype(kinds.get(dtype[0], {}).get(dtype[1]) or object)
            if type(buffer) is not buffer_class or column.hasobject:
                raise NotImplementedError(f"a buffer of {type(buffer).__name__!r} and type {dtype} cannot be read here")
            memory = numpy.ascontiguousarray(buffer._x).reshape(-1).view("u1")
            found = memory[int(offset) * column.itemsize :][: int(length) * column.itemsize].view(column)
            if len(found) != length:
                raise ValueError("a column of the interchange protocol is longer than its buffer")
            return found

        interchange.buffer_to_ndarray = buffer_to_ndarray


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
    """Return the segments with constants of the shared object that begins at base.

    On x86_64 they have one of their own; on arm64 the linker puts them behind the code.
    """
    header = memory.read(base, _HEADER_BYTES)
    table, size, count = _HEADER.unpack_from(header)
    if not header.startswith(_ELF64) or size != _SEGMENT.size:
        raise ArrayInterfaceFault("numpy's native code is not ELF of 64 bits")
    segments = (_SEGMENT.unpack(memory.read(base + table + each * size, size)) for each in range(count))
    unchanging = [each for each in segments if each[0] == _LOAD and each[1] & _READABLE and not each[1] & _WRITABLE]
    constants = [each for each in unchanging if not each[1] & _EXECUTABLE]
    return [(base + each[3], each[6]) for each in constants or unchanging]


def _describer(kind: Any) -> Callable[[Any], dict[str, object]]:
    """Return what reads an array's description for Python code. numpy itself can read none."""
    pointer, flags, dtype, strides, shape = (
        vars(kind)[name].__get__ for name in ("ctypes", "flags", "dtype", "strides", "shape")
    )

    def describe(array: Any) -> dict[str, object]:
        """Array protocol: Python side."""
        held, own = flags(array), dtype(array)
        return {
            "data": (pointer(array).data, not held.writeable),
            "strides": None if held.c_contiguous else strides(array),
            "descr": own.descr,
            _NAME: own.str,
            "shape": shape(array),
            "version": 3,
        }

    return describe


class _Fields:
    """Reads an array past what its class says: a subclass of the script's can answer anything."""

    def __init__(self, numpy: Any) -> None:
        self.kind = numpy.ndarray
        self.holds_objects = _object_arrays.holder(numpy)
        held = vars(self.kind)
        names = "shape", "strides", "itemsize", "base", "ctypes"
        self.shape, self.strides, self.itemsize, self.base, self.pointer = (held[name].__get__ for name in names)
        self.set_strides = held["strides"].__set__

    def extent(self, array: Any) -> tuple[int, int]:
        """Return the addresses of the first byte that the array shows and of the one after the last."""
        low, high = _extent(self.shape(array), self.strides(array), self.itemsize(array))
        start = self.pointer(array).data
        return start + low, start + high

    def owner(self, array: Any) -> Any:
        """Return the array whose memory this one shows. Of a buffer's, only what an array shows of it counts."""
        while issubclass(type(base := self.base(array)), self.kind):
            array = base
        return array


def _restrider(fields: _Fields) -> Callable[[Any, Any], None]:
    """Return the setter of ``ndarray.strides``: inside what the array shows already."""

    def restride(array: Any, value: Any) -> None:
        new, shape = tuple(int(each) for each in value), fields.shape(array)
        if fields.holds_objects(array):
            raise ValueError("strides cannot be set where there can be objects: use a copy")
        if len(new) != len(shape):
            raise ValueError("strides must be same length as shape")
        start = fields.pointer(array).data
        _check_inside(start, _extent(shape, new, fields.itemsize(array)), fields.extent(array))
        fields.set_strides(array, new)

    return restride


def _strider(numpy: Any, fields: _Fields) -> Callable[..., Any]:
    """Return ``as_strided`` without a description: a broadcast view whose strides are set.

    It may show what the array that owns the memory shows: scipy strides a slice backwards
    to make a Toeplitz matrix.
    """

    def strided(x: Any, shape: Any, steps: Any, subok: bool, writeable: bool) -> Any:
        array = numpy.array(x, copy=None, subok=subok)
        plain = fields.kind.view(array, fields.kind)
        shape = tuple(int(each) for each in (plain.shape if shape is None else numpy.atleast_1d(shape)))
        if steps is None and not plain.shape:  # np.vectorize wants a number in a shape: numpy would show what lies behind it
            steps = (0,) * len(shape)
        steps = tuple(int(each) for each in (plain.strides if steps is None else numpy.atleast_1d(steps)))
        if fields.holds_objects(plain) or len(shape) != len(steps):
            raise ValueError(_BEYOND)
        _check_inside(
            plain.ctypes.data, _extent(shape, steps, plain.itemsize), fields.extent(fields.owner(plain))
        )
        if 0 in shape:
            view = numpy.empty(shape, plain.dtype)
        else:
            first = plain[tuple(slice(1) for _ in plain.shape)].reshape(())
            view = numpy.broadcast_to(first, shape)
            if writeable and plain.flags.writeable:
                view.flags.writeable = True
            fields.set_strides(view, steps)
        if not writeable:
            view.flags.writeable = False
        return numpy.lib._stride_tricks_impl._maybe_view_as_subclass(array, view)

    return strided


def _restride_in_place(module: Any, strided: Callable[..., Any]) -> None:
    """Give numpy's as_strided another body: whoever has imported it has this one."""

    def as_strided(x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True) -> Any:
        # numpy's own global, set below.
        # pylint: disable-next=undefined-variable
        return _strided(x, shape, strides, subok, writeable)  # type: ignore[name-defined]  # noqa: F821

    module._strided = strided
    module.as_strided.__code__ = as_strided.__code__


_BEYOND: Final = "as_strided: shape and strides reach beyond the array; use sliding_window_view"


def _check_inside(start: int, new: tuple[int, int], held: tuple[int, int]) -> None:
    """Raise ValueError unless a view from the address start lies between the addresses of what is held."""
    if start + new[0] < held[0] or start + new[1] > held[1]:
        raise ValueError(_BEYOND)


def _extent(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> tuple[int, int]:
    """Return the first byte and the one after the last, from where the array begins."""
    if any(length < 0 for length in shape):
        raise ValueError("as_strided: negative dimensions are not allowed")
    if 0 in shape:
        return 0, 0
    steps = [(length - 1) * stride for length, stride in zip(shape, strides, strict=True)]
    return sum(step for step in steps if step < 0), size + sum(step for step in steps if step > 0)


def _prove(numpy: Any) -> None:
    """Fail unless every description is refused, and arrays still work."""
    array = numpy.arange(6, dtype="uint8")
    own = array.__array_interface__
    if own.get(_NAME) != "|u1" or own["data"][0] != array.ctypes.data:
        raise ArrayInterfaceFault("arrays do not describe themselves any more")
    for key in (_NAME, _NO_TEXT.decode("latin-1"), _NO_TEXT.decode("utf-8", "surrogateescape")):
        if _is_believed(numpy, {**own, key: "|u1"}):
            raise ArrayInterfaceFault("numpy still believes what objects say about memory")
    if hasattr(array, "__array_struct__") or hasattr(array[0], "__array_struct__"):
        raise ArrayInterfaceFault("arrays still give their native description away")
    if numpy.lib.stride_tricks.sliding_window_view(array, 5).tolist() != [[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]:
        raise ArrayInterfaceFault("views of arrays do not work any more")


def _is_believed(numpy: Any, interface: dict[str, object]) -> bool:
    described = type("Described", (), {"__array_interface__": interface})()
    try:
        return bool(numpy.asarray(described).shape == interface["shape"])
    except ValueError:  # of a missing type: a UnicodeDecodeError is one
        return False
