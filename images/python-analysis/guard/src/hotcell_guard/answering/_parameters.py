"""The parameters of a tool call as JSON, by the rule of results but stricter."""

from __future__ import annotations

from hotcell_guard.answering._result import Converter, ResultTooLargeError, class_name, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from hotcell_guard.answering._result import Json

__all__ = ["convert"]


class _NoFormError(Exception):
    """A value has no JSON form; places lead to it, the innermost first."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.places: list[object] = []


class _Parameters(Converter):
    """Refuses what a result would show by its repr."""

    def _item(self, value: object, place: object, depth: int) -> Json:
        try:
            return super()._item(value, place, depth)
        except _NoFormError as error:
            error.places.append(place)
            raise

    def _other(self, value: object, depth: int) -> Json:
        raise _NoFormError(class_name(type(value)))

    def _model(self, value: Any, depth: int) -> Json:
        return self._other(value, depth)


def convert(value: object, limit: int) -> dict[str, Json]:
    """Return value as a JSON object. Raises TypeError, or ValueError beyond limit bytes."""
    if not isinstance(value, dict):
        raise TypeError(f"the parameters of a tool are a dict, not {class_name(type(value))}")
    try:
        converted = _Parameters(limit, _plain).convert(value)
    except _NoFormError as error:
        _refuse(error)
    except ResultTooLargeError:
        raise ValueError(f"the parameters are larger than the limit of {limit} bytes") from None
    if not isinstance(converted, dict):
        raise TypeError("the parameters of a tool are a dict")
    return converted


def _refuse(error: _NoFormError) -> NoReturn:
    path = "".join(f"[{_place(place)}]" for place in reversed(error.places))
    raise TypeError(
        f"params{path[:500]} is of type {error.kind}, which has no JSON form; "
        "give numbers, text, dates, lists, dicts, arrays or DataFrames"
    ) from None


def _place(place: object) -> str:
    return repr(clean(place)) if isinstance(place, str) else clean(str(place))


def _plain(figure: Any) -> Any:
    return figure.to_plotly_json()
