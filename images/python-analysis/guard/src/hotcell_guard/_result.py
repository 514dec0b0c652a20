"""A Python value as JSON, by a rule that README.md documents. Never by pickle.

Every conversion is charged to a budget before it is made, so that a result that
is too large is refused and not built.
"""

from __future__ import annotations

import math
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
    Method = Callable[[Any, int], Json]

__all__ = ["Converter", "ResultKeyError", "ResultTooLargeError", "clean"]

MAX_DEPTH: Final = 64
MAX_REPR: Final = 4096
"""Characters kept of the repr of a value that has no JSON form."""

_INT_BITS: Final = 64


class ResultTooLargeError(Exception):
    """The result does not fit the report."""


class ResultKeyError(Exception):
    """Two keys of one dict have the same text."""


def clean(text: str) -> str:
    """Return an exact str that UTF-8 can encode: lone surrogates become '?'."""
    return str.encode(text, "utf-8", "replace").decode("utf-8")


class Converter:
    """Converts values within one budget of bytes.

    figure is called with every plotly figure and returns its plain form. opaque
    tells whether some value had no JSON form and became its repr.
    """

    def __init__(self, budget: int, figure: Callable[[Any], Any]) -> None:
        self._left = budget
        self._limit = budget
        self._figure = figure
        self.opaque = False
        self._kinds: list[tuple[Any, Method]] = [*self._foreign(), *self._standard()]

    def convert(self, value: object, depth: int = 0) -> Json:
        """Return the JSON form of value. Raises ResultTooLargeError."""
        self._spend(2)
        if value is None or value is True or value is False:
            return value
        if depth > MAX_DEPTH:
            raise ResultTooLargeError(f"the result is nested deeper than {MAX_DEPTH} levels, or holds itself")
        for kind, method in self._kinds:
            if isinstance(value, kind):
                return method(value, depth)
        return self._other(value, depth)

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ResultTooLargeError(
                f"the result takes more than the {self._limit} bytes that a report may have; "
                "write large data to a file in OUTPUT and keep a summary as the result"
            )

    # The standard library's types.

    def _standard(self) -> list[tuple[Any, Method]]:
        kinds: list[tuple[Any, Method]] = [
            (str, self._text),
            (int, self._integer),
            (float, self._float),
            (dict, self._dict),
            ((list, tuple, range), self._list),
            ((set, frozenset), self._set),
            ((type({}.keys()), type({}.values()), type({}.items())), self._list),
            (complex, self._str),
        ]
        for module, names, method in (
            ("collections", ("deque",), self._list),
            ("datetime", ("datetime", "date", "time"), self._isoformat),
            ("datetime", ("timedelta",), self._duration),
            ("decimal", ("Decimal",), self._str),
            ("fractions", ("Fraction",), self._str),
            ("uuid", ("UUID",), self._str),
            ("pathlib", ("PurePath",), self._str),
        ):
            kinds += _loaded(module, names, method)
        return kinds

    def _text(self, value: str, _: int) -> Json:
        self._spend(str.__len__(value))
        return clean(value)

    def _integer(self, value: int, depth: int) -> Json:
        exact = int.__index__(value)
        if exact.bit_length() > _INT_BITS:
            return self._other(exact, depth)
        self._spend(exact.bit_length() // 4)
        return exact

    def _float(self, value: float, _: int) -> Json:
        exact = float.__float__(value)
        self._spend(4)
        return exact if math.isfinite(exact) else None

    def _list(self, value: Iterable[object], depth: int) -> Json:
        return [self.convert(item, depth + 1) for item in value]

    def _set(self, value: set[Any], depth: int) -> Json:
        try:
            return self._list(sorted(value), depth)
        except TypeError:
            return self._list(value, depth)  # PYTHONHASHSEED makes the order repeatable

    def _dict(self, value: dict[object, object], depth: int) -> Json:
        converted: dict[str, Json] = {}
        for key, item in value.items():
            name = self._key(key)
            if name in converted:
                raise ResultKeyError(f"two keys of a dict in the result are both {name[:80]!r} as text")
            converted[name] = self.convert(item, depth + 1)
        return converted

    def _key(self, key: object) -> str:
        text = self.convert(key, MAX_DEPTH - 2) if not isinstance(key, (tuple, frozenset)) else None
        name = text if isinstance(text, str) else clean(str(key))
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

    def _other(self, value: object, depth: int) -> Json:
        huge = isinstance(value, int) and value.bit_length() > 8192
        text = hex(value) if huge and isinstance(value, int) else repr(value)
        name = clean(type(value).__name__)
        self.opaque = self.opaque or not isinstance(value, int)
        return {"type": name[:200], "text": self._text(text[:MAX_REPR], depth)}

    # The packages' types, for those that the run has imported.

    def _foreign(self) -> list[tuple[Any, Method]]:
        missing = [type(getattr(sys.modules["pandas"], name)) for name in ("NaT", "NA")] if _has("pandas") else []
        kinds: list[tuple[Any, Method]] = [(tuple(missing), lambda value, depth: None)] if missing else []
        for module, names, method in (
            ("plotly.basedatatypes", ("BaseFigure",), self._plotly),
            ("pandas", ("DataFrame",), self._frame),
            ("pandas", ("Series",), self._series),
            ("pandas", ("Index", "Categorical"), self._values),
            ("pandas", ("Timestamp", "Timedelta"), self._isoformat),
            ("pandas", ("Period", "Interval"), self._str),
            ("pandas.api.extensions", ("ExtensionArray",), self._values),
            ("numpy", ("ndarray",), self._array),
            ("numpy", ("datetime64", "timedelta64"), self._numpy_time),
            ("numpy", ("generic",), self._scalar),
        ):
            kinds += _loaded(module, names, method)
        return kinds

    def _plotly(self, value: Any, depth: int) -> Json:
        return self.convert(self._figure(value), depth + 1)

    def _frame(self, value: Any, depth: int) -> Json:
        self._reserve(value.shape[0] * value.shape[1])
        columns = [self._values(value.iloc[:, place], depth + 2) for place in range(value.shape[1])]
        converted: dict[str, Json] = {"columns": self._values(value.columns, depth + 1)}
        rows: list[Json] = [list(row) for row in zip(*columns)]
        converted["rows"] = rows if columns else [[] for _ in range(value.shape[0])]
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
        if value.dtype.kind in "mM":
            texts = value.astype(str)
            return self.convert(_without_nat(texts.tolist()), depth + 1)
        return self.convert(value.tolist(), depth + 1)

    def _numpy_time(self, value: Any, depth: int) -> Json:
        return self.convert(_without_nat(str(value)), depth + 1)

    def _scalar(self, value: Any, depth: int) -> Json:
        plain = value.item()
        if isinstance(plain, type(value)):  # longdouble has no Python form
            return self._str(value, depth)
        return self.convert(plain, depth + 1)

    def _reserve(self, count: int) -> None:
        """Refuse before a list of count values is made of a compact array."""
        if count * 2 > self._left:
            self._spend(count * 2)


def _has(module: str) -> bool:
    return module in sys.modules


def _loaded(module: str, names: tuple[str, ...], method: Method) -> list[tuple[Any, Method]]:
    """Pair the types with method if the module is loaded; else no value can have them."""
    if not _has(module):
        return []
    return [(tuple(getattr(sys.modules[module], name) for name in names), method)]


def _without_nat(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nat(item) for item in value]
    return None if value == "NaT" else value
