"""A Python value as JSON, by the rule of docs/result.md. Never by pickle.

Every conversion is charged to a budget before it is made, so that a result that
is too large is refused and not built.
"""

from __future__ import annotations

import math
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final, NoReturn

    Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
    Method = Callable[[Any, int], Json]

__all__ = ["MAX_REPR", "Converter", "ResultKeyError", "ResultTooLargeError", "class_name", "clean"]

MAX_DEPTH: Final = 64
MAX_REPR: Final = 4096
"""Characters kept of the repr of a value that has no JSON form."""

MAX_NAME: Final = 200
"""Characters kept of a class's name."""

_INT_BITS: Final = 64
_MAX_DECIMAL_BITS: Final = 14_000
"""An integer beyond is written in hexadecimal: decimal takes quadratic time, and Python has a limit of 4300 digits."""


class ResultTooLargeError(Exception):
    """The result does not fit the report."""


class ResultKeyError(Exception):
    """Two keys of one dict have the same text."""


def class_name(kind: type) -> str:
    """Return the name of a class, past a metaclass of the script's, and past the text that a script has given for it."""
    return clean(str.__str__(vars(type)["__name__"].__get__(kind)))[:MAX_NAME]


def clean(text: str) -> str:
    """Return an exact str that UTF-8 can encode: lone surrogates become '?'."""
    return str.encode(text, "utf-8", "replace").decode("utf-8")


class Converter:
    """Converts values within one budget of bytes.

    figure is called with every plotly figure and returns its plain form. opaque
    tells whether some value had no JSON form and became its repr. excess says what did
    not fit, whatever has been raised since: who asks believes no exception's class, for
    what is converted can raise any.
    """

    def __init__(self, budget: int, figure: Callable[[Any], Any]) -> None:
        self._left = budget
        self.limit = budget
        self._figure = figure
        self.opaque = False
        self.excess = ""
        self._kinds: list[tuple[Any, Method]] = [*self._foreign(), *self._standard()]
        self._methods: dict[type, Method] = {}

    def convert(self, value: object, depth: int = 0) -> Json:
        """Return the JSON form of value. Raises ResultTooLargeError."""
        self._spend(2)
        if value is None or value is True or value is False:
            return value
        if depth > MAX_DEPTH:
            self._exceed(f"the result is nested deeper than {MAX_DEPTH} levels, or holds itself")
        kind = type(value)  # not __class__, which an instance may have of its own
        method = self._methods.get(kind)
        if method is None:
            method = self._methods[kind] = self._method(kind)
        return method(value, depth)

    def _method(self, kind: type) -> Method:
        own = _of_statsmodels(kind)
        if own and class_name(kind) in ("Summary", "SimpleTable"):
            return self._named_text
        for known, method in self._kinds:
            if issubclass(kind, known):
                return method
        if any("__dataclass_fields__" in vars(each) for each in kind.__mro__):
            return self._dataclass
        return self._model if own else self._other

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            self._exceed(
                f"the result is larger than a report's limit of {self.limit} bytes; "
                "write large data to a file in OUTPUT and keep a summary as the result"
            )

    def _exceed(self, words: str) -> NoReturn:
        self.excess = words
        raise ResultTooLargeError(words)

    def _item(self, value: object, place: object, depth: int) -> Json:
        """Convert one item of a container; place is its key or index."""
        return self.convert(value, depth + 1)

    # The standard library's types.

    def _standard(self) -> list[tuple[Any, Method]]:
        kinds: list[tuple[Any, Method]] = [
            *_loaded("enum", ("Enum",), self._enumerated),
            *_loaded("pydantic.main", ("BaseModel",), self._fields),
            (str, self._text),
            (int, self._integer),
            (float, self._float),
            ((dict, type(type.__dict__)), self._dict),
            (tuple, self._tuple),
            ((list, range), self._list),
            ((set, frozenset), self._set),
            ((type({}.keys()), type({}.values()), type({}.items())), self._list),
            ((bytes, bytearray, memoryview), self._bytes),
            (complex, self._str),
        ]
        for module, names, method in (
            ("collections", ("deque", "UserList"), self._list),
            ("collections", ("ChainMap", "UserDict"), self._dict),
            ("collections", ("UserString",), self._str),
            ("array", ("array",), self._list),
            ("datetime", ("datetime", "date", "time"), self._isoformat),
            ("datetime", ("timedelta",), self._duration),
            ("decimal", ("Decimal",), self._str),
            ("fractions", ("Fraction",), self._str),
            ("uuid", ("UUID",), self._str),
            ("pathlib", ("PurePath",), self._str),
        ):
            kinds += _loaded(module, names, method)
        return kinds

    def _enumerated(self, value: Any, depth: int) -> Json:
        return self.convert(value.value, depth + 1)

    def _text(self, value: str, _: int) -> Json:
        self._spend(str.__len__(value))
        return clean(value)

    def _integer(self, value: int, depth: int) -> Json:
        exact = int.__index__(value)
        if exact.bit_length() > _MAX_DECIMAL_BITS:
            return self._other(exact, depth)
        if exact.bit_length() > _INT_BITS:
            return self._text(str(exact), depth)  # few readers of JSON would keep it as a number
        self._spend(exact.bit_length() // 4)
        return exact

    def _float(self, value: float, _: int) -> Json:
        exact = float.__float__(value)
        self._spend(4)
        return exact if math.isfinite(exact) else None

    def _list(self, value: Iterable[object], depth: int) -> Json:
        return [self._item(item, place, depth) for place, item in enumerate(value)]

    def _tuple(self, value: tuple[object, ...], depth: int) -> Json:
        """A named tuple is an object; a tuple without names is an array."""
        names = getattr(type(value), "_fields", None)
        if isinstance(names, tuple) and len(names) == tuple.__len__(value):
            return self._dict(dict(zip(names, tuple.__iter__(value))), depth)
        return self._list(value, depth)

    def _dataclass(self, value: Any, depth: int) -> Json:
        names = [str.__str__(name) for name in type(value).__dataclass_fields__]
        # A script may have put a name there that it could not spell itself.
        return self._dict({name: getattr(value, name) for name in names if not name.startswith("__")}, depth)

    def _fields(self, value: Any, depth: int) -> Json:
        """A model of pydantic's is what its fields hold, those that it did not declare too."""
        names = [str.__str__(name) for name in type(value).__pydantic_fields__]
        # As for dataclasses: the table is an open dict, and may name what the script could not.
        fields = {name: getattr(value, name) for name in names if not name.startswith("_")}
        return self._dict(fields | (value.__pydantic_extra__ or {}), depth)

    def _bytes(self, value: bytes | bytearray | memoryview, _: int) -> Json:
        import binascii  # few results hold bytes

        data = memoryview(value)
        self._spend(data.nbytes * 4 // 3)
        return {"type": "bytes", "base64": binascii.b2a_base64(bytes(data), newline=False).decode("ascii")}

    def _set(self, value: set[Any], depth: int) -> Json:
        items: Iterable[Any] = value  # PYTHONHASHSEED makes the order repeatable
        try:
            items = sorted(value)
        except TypeError:
            pass
        return self._list(items, depth)  # what it raises passes no handler

    def _dict(self, value: dict[object, object], depth: int) -> Json:
        converted: dict[str, Json] = {}
        for key, item in value.items():
            name = self._key(key)
            if name in converted:
                raise ResultKeyError(f"two keys of a dict in the result are both {name[:80]!r} as text")
            converted[name] = self._item(item, key, depth)
        return converted

    def _key(self, key: object) -> str:
        text = self.convert(key, MAX_DEPTH - 2) if not isinstance(key, (tuple, frozenset)) else None
        name = text if isinstance(text, str) else self._int_text(key) or clean(str(key))
        self._spend(len(name))
        return name

    def _str(self, value: object, depth: int) -> Json:
        return self._text(str(value), depth)

    def _isoformat(self, value: Any, depth: int) -> Json:
        return self._text(value.isoformat(), depth)

    def _duration(self, value: Any, depth: int) -> Json:
        days, seconds, micros = value.days, value.seconds, value.microseconds
        hours, rest = divmod(seconds, 3600)
        fraction = f".{micros:06}" if micros else ""
        return self._text(f"P{days}DT{hours}H{rest // 60}M{rest % 60}{fraction}S", depth)

    def _model(self, value: Any, depth: int) -> Json:
        """What has been fitted says most in its summary."""
        if callable(getattr(value, "summary", None)):
            return self._named_text(value.summary(), depth)
        return self._other(value, depth)

    def _named_text(self, value: object, depth: int) -> Json:
        return {"type": class_name(type(value)), "text": self._text(str(value), depth)}

    def _other(self, value: object, depth: int) -> Json:
        text = self._int_text(value) or repr(value)
        self.opaque = self.opaque or not isinstance(value, int)
        return {"type": class_name(type(value)), "text": self._text(str.__getitem__(text, slice(MAX_REPR)), depth)}

    def _int_text(self, value: object) -> str | None:
        """Return the text of an integer that is too long for ``str``."""
        return hex(value) if type(value) is int and value.bit_length() > _MAX_DECIMAL_BITS else None

    # The packages' types, for those that the run has imported.

    def _foreign(self) -> list[tuple[Any, Method]]:
        missing = [type(getattr(sys.modules["pandas"], name)) for name in ("NaT", "NA")] if _has("pandas") else []
        kinds: list[tuple[Any, Method]] = [(tuple(missing), lambda value, depth: None)] if missing else []
        for module, names, method in (
            ("plotly.basedatatypes", ("BaseFigure",), self._plotly),
            ("plotly.basedatatypes", ("BasePlotlyType",), self._plotly_part),
            ("pandas", ("DataFrame",), self._frame),
            ("pandas", ("Series",), self._series),
            ("pandas", ("Index", "Categorical"), self._values),
            ("pandas", ("Timestamp", "Timedelta"), self._isoformat),
            ("pandas", ("Period", "Interval"), self._str),
            ("pandas.api.extensions", ("ExtensionArray",), self._values),
            ("numpy", ("ndarray",), self._array),
            ("numpy", ("void",), self._record),
            ("numpy", ("datetime64", "timedelta64"), self._numpy_time),
            ("numpy", ("generic",), self._scalar),
        ):
            kinds += _loaded(module, names, method)
        return kinds

    def _plotly(self, value: Any, depth: int) -> Json:
        return self.convert(self._figure(value), depth + 1)

    def _plotly_part(self, value: Any, depth: int) -> Json:
        return self.convert(value.to_plotly_json(), depth + 1)

    def _frame(self, value: Any, depth: int) -> Json:
        height, width = map(int.__index__, value.shape)
        self._reserve(height * max(width, 1))
        columns = [self._values(value.iloc[:, place], depth + 2) for place in range(width)]
        converted: dict[str, Json] = {"columns": self._values(value.columns, depth + 1)}
        rows: list[Json] = [list(row) for row in zip(*columns)]
        converted["rows"] = rows if columns else [[] for _ in range(height)]
        return converted | self._index(value.index, depth)

    def _series(self, value: Any, depth: int) -> Json:
        converted: dict[str, Json] = {"name": self.convert(value.name, depth + 1)}
        converted["values"] = self._values(value, depth + 1)
        return converted | self._index(value.index, depth)

    def _index(self, index: Any, depth: int) -> dict[str, Json]:
        """The index is left out when it only counts the rows from 0."""
        plain = isinstance(index, sys.modules["pandas"].RangeIndex) and index.start == 0 and index.step == 1
        if plain and index.name is None:
            return {}
        names = [self.convert(name, depth + 1) for name in index.names]
        return {"index": self._values(index, depth + 1), "index_names": names}

    def _values(self, value: Any, depth: int) -> Json:
        self._reserve(len(value))
        return self._list(value.tolist(), depth)

    def _array(self, value: Any, depth: int) -> Json:
        self._reserve(value.size)
        if value.dtype.names:
            return self._list(value, depth) if value.ndim else self._record(value[()], depth)
        if value.dtype.kind in "mM":
            return self._times(value, depth)
        return self.convert(value.tolist(), depth + 1)

    def _times(self, value: Any, depth: int) -> Json:
        """Text for datetime64 and timedelta64, for which tolist() may give integers."""
        numpy = sys.modules["numpy"]
        bare = numpy.asarray(value)
        gaps = numpy.isnat(bare) | numpy.ma.getmaskarray(value)
        texts = bare.astype(str).astype(object)
        return self.convert(numpy.where(gaps, None, texts).tolist(), depth + 1)

    def _record(self, value: Any, depth: int) -> Json:
        """One element of a structured array: an object; without fields, bytes."""
        if not value.dtype.names:
            return self._bytes(value.tobytes(), depth)
        return self._dict({name: value[name] for name in value.dtype.names}, depth)

    def _numpy_time(self, value: Any, depth: int) -> Json:
        text = str(value)
        return None if text == "NaT" else self._text(text, depth)

    def _scalar(self, value: Any, depth: int) -> Json:
        plain = value.item()
        if isinstance(plain, type(value)):  # longdouble has no Python form
            return self._str(value, depth)
        return self.convert(plain, depth + 1)

    def _reserve(self, count: int) -> None:
        """Refuse before a list of count values is made of a compact array. A script's class can say what count is."""
        count = int.__index__(count)
        if count * 2 > self._left:
            self._spend(count * 2)


def _of_statsmodels(kind: type) -> bool:
    module = vars(type)["__module__"].__get__(kind)
    return isinstance(module, str) and module.startswith("statsmodels.")


def _has(module: str) -> bool:
    return module in sys.modules


def _loaded(module: str, names: tuple[str, ...], method: Method) -> list[tuple[Any, Method]]:
    """Pair the types with method if the module is loaded; else no value can have them."""
    if not _has(module):
        return []
    return [(tuple(getattr(sys.modules[module], name) for name in names), method)]
