"""Tables as the host has prepared them: one file each, which is mapped and not parsed.

What a file is, is written down in the host's internal/table/prepared. The host made it and has
verified its digest; every size and place in it is looked at all the same, because native code
goes where they say.
"""

from __future__ import annotations

import mmap
import os
import stat
import sys

from hotcell_guard.speaking import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Final

__all__ = ["Column", "PreparedFault", "PreparedTable", "Texts", "open_table"]

_MAGIC: Final = b"HCTABLE\n"
_FORMAT: Final = 1
_PREAMBLE: Final = 16
_TRAILER: Final = 24
_MAX_INDEX: Final = 256 << 20
_MAX_ROWS: Final = 1 << 40
_MAX_COLUMNS: Final = 10_000
_ALIGNMENT: Final = 64

_DTYPES: Final[Mapping[str, int]] = {"int64": 8, "uint64": 8, "float64": 8, "bool": 1, "datetime64[us]": 8}
"""Of blocks, with the bytes of a value."""

_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "block": (),
    "instants": ("values",),
    "nullable": ("values", "mask"),
    "categories": ("codes", "width", "texts"),
    "dictionary": ("codes", "width", "texts"),
    "text": ("texts",),
    "json": ("texts",),
    "boolean": ("codes", "width"),
}
_OPTIONAL: Final[Mapping[str, tuple[str, ...]]] = {"text": ("mask",), "json": ("mask",)}
_SIGNED: Final = frozenset(("categories",))
_BY_ROW: Final = frozenset(("text", "json"))


class PreparedFault(ValueError):
    """A file is no prepared table. The message says in which respect, and quotes no data."""


class Texts:
    """A sequence of texts, a part at a time."""

    __slots__ = ("_bytes", "_parts", "_quoted", "_separator", "count", "counts")

    def __init__(self, value: object, file: PreparedTable) -> None:
        fields = _object(value, ("separator", "parts"), ("quoted",), "texts")
        separator = _whole(fields["separator"], 0, 31, "separator")
        self._separator = chr(separator)
        self._quoted = fields.get("quoted", False) is True
        self._parts = [_part(each, file.end) for each in _list(fields["parts"], "parts")]
        self._bytes = file.bytes
        self.counts = [count for _, _, count in self._parts]
        self.count = sum(self.counts)

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the texts of each part."""
        return map(self.part, range(len(self._parts)))

    def part(self, number: int) -> list[str]:
        """Return the texts of one part. Raises ValueError where they are not what the index says."""
        offset, size, count = self._parts[number]
        texts = str(self._bytes[offset : offset + size], "utf-8").split(self._separator)
        if len(texts) != count:
            raise PreparedFault(f"a part has {len(texts)} texts and not {count}")
        if self._quoted:
            values = [_json.decode(text.encode("utf-8")) for text in texts]
            texts = [value for value in values if type(value) is str]
            if len(texts) != count:
                raise PreparedFault("a quoted text is none")
        return texts


class Column:
    """One column that lies by itself."""

    __slots__ = ("codes", "layout", "mask", "name", "texts", "values")

    codes: Any
    mask: Any
    texts: Texts | None
    values: Any

    def __init__(self, name: str, layout: str) -> None:
        self.name, self.layout = name, layout
        self.codes = self.mask = self.texts = self.values = None


class Block:
    """The values of some columns of one dtype."""

    __slots__ = ("columns", "values")

    def __init__(self, columns: list[int], values: Any) -> None:
        self.columns, self.values = columns, values


class PreparedTable:
    """One file, mapped: what a script changes are its own pages, made when it does."""

    __slots__ = ("blocks", "bytes", "columns", "end", "rows")

    def __init__(self, path: str) -> None:
        self.bytes, trailer = _mapped(path)
        size = len(self.bytes)
        offset, length = int.from_bytes(trailer[:8], "little"), int.from_bytes(trailer[8:16], "little")
        if trailer[16:] != _MAGIC or length > _MAX_INDEX or offset < _PREAMBLE or offset + length + _TRAILER != size:
            raise PreparedFault("its end is not that of a prepared table")
        self.end = offset
        index = _index(bytes(self.bytes[offset : offset + length]))
        self.rows = _whole(index["rows"], 0, _MAX_ROWS, "rows")
        columns = _list(index["columns"], "columns")
        if not 1 <= len(columns) <= _MAX_COLUMNS:
            raise PreparedFault(f"it has {len(columns)} columns")
        self.columns = [self._column(each) for each in columns]
        self.blocks = [self._block(each) for each in _list(index["blocks"], "blocks")]
        placed = sorted(at for block in self.blocks for at in block.columns)
        if placed != [at for at, column in enumerate(self.columns) if column.layout == "block"]:
            raise PreparedFault("not every column is in one place")

    def _block(self, value: object) -> Block:
        fields = _object(value, ("dtype", "columns", "values"), (), "block")
        dtype = fields["dtype"]
        if not isinstance(dtype, str) or dtype not in _DTYPES:
            raise PreparedFault("a block has an unknown dtype")
        columns = [_whole(each, 0, len(self.columns) - 1, "column") for each in _list(fields["columns"], "columns")]
        if columns != sorted(set(columns)) or not columns:
            raise PreparedFault("the columns of a block are not in their order")
        values = self._array(fields["values"], dtype, self.rows * len(columns))
        if dtype == "bool":
            values = _flags(values)
        return Block(columns, values.reshape(len(columns), self.rows))

    def _column(self, value: object) -> Column:
        layout = value.get("layout") if isinstance(value, dict) else None
        if not isinstance(layout, str) or layout not in _MEMBERS:
            raise PreparedFault("a column has an unknown layout")
        fields = _object(value, ("name", "layout", *_MEMBERS[layout]), _OPTIONAL.get(layout, ()), "column")
        name = fields["name"]
        if not isinstance(name, str):
            raise PreparedFault("a column has no name")
        column = Column(name, layout)
        if "values" in fields:
            column.values = self._array(fields["values"], "int64", self.rows)
        if "mask" in fields:
            column.mask = _flags(self._array(fields["mask"], "bool", self.rows))
        if "texts" in fields:
            column.texts = Texts(fields["texts"], self)
        if "codes" in fields:
            self._read_codes(column, fields)
        if layout in _BY_ROW and (column.texts is None or column.texts.count != self.rows):
            raise PreparedFault("a column has not a text for each row")
        return column

    def _read_codes(self, column: Column, fields: Mapping[str, object]) -> None:
        width = _whole(fields["width"], 1, 4, "width")
        if width == 3 or (width > 1 and column.texts is None):
            raise PreparedFault("codes have an impossible width")
        signed = column.layout in _SIGNED
        codes = self._array(fields["codes"], f"{'int' if signed else 'uint'}{8 * width}", self.rows)
        most = column.texts.count if column.texts is not None else 2
        if codes.size and (codes.max() > most - signed or (signed and codes.min() < -1)):
            raise PreparedFault("a code stands for nothing")
        column.codes = codes

    def _array(self, value: object, dtype: str, count: int) -> Any:
        import numpy

        fields = _object(value, ("offset", "bytes"), (), "buffer")
        kind = numpy.dtype("u1" if dtype == "bool" else dtype)
        offset, size = _piece(fields, self.end)
        if size != count * kind.itemsize or offset % _ALIGNMENT:
            raise PreparedFault("a buffer has not the size or the place that it needs")
        return self.bytes[offset : offset + size].view(kind)


def open_table(path: str) -> PreparedTable:
    """Map one file. Raises OSError, and PreparedFault for what is no prepared table."""
    return PreparedTable(path)


def _mapped(path: str) -> tuple[Any, bytes]:
    """Return the file's bytes as an array, and its trailer."""
    if sys.byteorder != "little":
        raise PreparedFault("this machine's byte order is another")
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size < _PREAMBLE + _TRAILER:
            raise PreparedFault("it is no file of a table")
        preamble = os.pread(descriptor, _PREAMBLE, 0)
        trailer = os.pread(descriptor, _TRAILER, found.st_size - _TRAILER)
        mapping = mmap.mmap(
            descriptor, found.st_size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE, trackfd=False
        )
    finally:
        os.close(descriptor)
    if preamble[:8] != _MAGIC:
        raise PreparedFault("it is no prepared table")
    if int.from_bytes(preamble[8:], "little") != _FORMAT:
        raise PreparedFault("it is in a form that this guard does not know: rebuild the image (`runner image build`)")
    return _over(mapping), trailer


def _over(mapping: mmap.mmap) -> Any:
    """Return the mapping's bytes as an array. No attribute of an array leads to the mapping, which could be closed."""
    import numpy

    held = numpy.frombuffer(mapping, dtype="u1")

    class Pages:
        """What the array holds on to: its class knows what it is over."""

        __slots__ = ()

        @property
        def __array_interface__(self) -> dict[str, object]:
            return dict(held.__array_interface__)

    return numpy.asarray(Pages())


def _index(payload: bytes) -> dict[str, object]:
    try:
        value = _json.decode(payload, floats=False)
    except (ValueError, RecursionError) as error:
        raise PreparedFault("its index is no JSON") from error
    return _object(value, ("rows", "blocks", "columns"), (), "index")


def _object(value: object, names: tuple[str, ...], more: tuple[str, ...], where: str) -> dict[str, object]:
    if not isinstance(value, dict) or not set(names) <= value.keys() <= {*names, *more}:
        raise PreparedFault(f"{where} has unknown or missing names")
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise PreparedFault(f"{where} is no list")
    return value


def _whole(value: object, lowest: int, highest: int, where: str) -> int:
    if type(value) is not int or not lowest <= value <= highest:
        raise PreparedFault(f"{where} is not between {lowest} and {highest}")
    return value


def _piece(fields: Mapping[str, object], end: int) -> tuple[int, int]:
    offset = _whole(fields["offset"], 0, end, "offset")
    return offset, _whole(fields["bytes"], 0, end - offset, "bytes")


def _part(value: object, end: int) -> tuple[int, int, int]:
    fields = _object(value, ("offset", "bytes", "texts"), (), "part")
    offset, size = _piece(fields, end)
    return offset, size, _whole(fields["texts"], 1, size + 1, "texts")


def _flags(values: Any) -> Any:
    """Return bytes as booleans. Native code counts them by their sum."""
    if values.size and values.max() > 1:
        raise PreparedFault("a boolean is neither 0 nor 1")
    return values.view("bool")
