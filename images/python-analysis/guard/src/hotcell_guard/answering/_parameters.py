"""The parameters of a tool call as JSON, by the rule of results but stricter."""

from __future__ import annotations

from hotcell_guard.answering._errors import attempt
from hotcell_guard.answering._result import Converter, class_name, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from hotcell_guard.answering._result import Json

__all__ = ["convert"]


class _Parameters(Converter):
    """Refuses what a result would show by its repr. Refused is its type's name."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit, _plain)
        self.refused = ""
        self.places: list[object] = []
        """What leads to the value that is being converted."""

    def _item(self, value: object, place: object, depth: int) -> Json:
        self.places.append(place)
        converted = super()._item(value, place, depth)
        self.places.pop()
        return converted

    def _other(self, value: object, depth: int) -> Json:
        self.refused = class_name(type(value))
        raise TypeError(self.refused)

    def _model(self, value: Any, depth: int) -> Json:
        return self._other(value, depth)


def convert(value: object, limit: int) -> dict[str, Json]:
    """Return value as a JSON object. Raises TypeError, or ValueError beyond limit bytes.

    It raises outside of every handler: the script would find there, as the context, what the guard has caught.
    """
    if not isinstance(value, dict):
        raise TypeError(f"the parameters of a tool are a dict, not {class_name(type(value))}")
    converter = _Parameters(limit)
    converted, error = attempt(lambda: converter.convert(value))
    if converter.refused:
        _refuse(converter)
    if converter.excess:
        raise ValueError(f"the parameters are larger than the limit of {limit} bytes")
    if error is not None:
        raise error
    if not isinstance(converted, dict):
        raise TypeError("the parameters of a tool are a dict")
    return converted


def _refuse(converter: _Parameters) -> NoReturn:
    path = "".join(f"[{_place(place)}]" for place in converter.places)
    raise TypeError(
        f"params{path[:500]} is of type {converter.refused}, which has no JSON form; "
        "give numbers, text, dates, lists, dicts, arrays or DataFrames"
    )


def _place(place: object) -> str:
    return repr(clean(place)) if isinstance(place, str) else clean(str(place))


def _plain(figure: Any) -> Any:
    return figure.to_plotly_json()
