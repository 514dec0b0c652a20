"""An answer of a sentence and charts, read from what a script gives as its result.

Scripts that a model writes give a dict with ``output`` and ``chart``, and also a figure
alone, a list of figures, a text, or a dict with other keys. What can be read is read,
with a warning where it is not the documented form. A chart that draws nothing costs the
chart: the sentence stays, and a warning says why.
"""

from __future__ import annotations

import json
import sys

from hotcell_guard.answering._errors import attempt
from hotcell_guard.answering._result import Converter, class_name, clean
from hotcell_guard.speaking._streams import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    from hotcell_guard.answering._result import Json

__all__ = ["Given", "Reader", "text_of"]

_CHART_KEYS: Final = frozenset("chart charts figure figures fig figs plot plots graph".split())
_SPEC_KEYS: Final = frozenset("data layout frames config".split())
_OUTPUT_KEYS: Final = ("output", "text", "answer", "message", "summary")
_POINTS: Final = frozenset("x y z r theta values labels lat lon locations open".split())
"""What a trace is drawn from: a dict with one of these is a trace, and no figure."""

_MAX_ROWS: Final = 100
_MAX_WARNINGS: Final = 20
_MAX_WARNING: Final = 500
_NOTE_BYTES: Final = 120
"""Room for the note that says how much was cut."""


class _Drawing(Converter):
    """Converts charts: a column is a list there, and a table its rows, which is how plotly reads both."""

    def _series(self, value: Any, depth: int) -> Json:
        return self._values(value, depth)

    def _frame(self, value: Any, depth: int) -> Json:
        form = super()._frame(value, depth)
        return form["rows"] if isinstance(form, dict) else form


class Given:
    """What a script gave: an output, charts as objects, and what else it named."""

    __slots__ = ("charts", "more", "output")

    def __init__(self, output: object = None, charts: Iterable[Any] = (), more: dict[Any, Any] | None = None) -> None:
        self.output = output
        self.charts: list[Any] = list(charts)
        self.more = more or {}


class Reader:
    """Reads one result, and gathers the warnings."""

    def __init__(self, limit: int, most: int, figure: Callable[[Any], Any]) -> None:
        """Make charts and all else fit limit bytes of JSON. figure returns a plotly figure's plain form."""
        self._left = limit
        self._most = most
        self._figure = figure
        self.warnings: list[str] = []

    def warn(self, words: str) -> None:
        """Keep a warning for the report."""
        if len(self.warnings) < _MAX_WARNINGS:
            self.warnings.append(clean(words)[:_MAX_WARNING])

    # What the script means.

    def result(self, value: Any) -> Given:
        """Read the variable ``result``."""
        told = _told(value)
        if told is not None:
            self.warn("result is JSON text and was read; give the dict itself")
            value = told
        if isinstance(value, dict) and not _is_spec(value):
            return self._keys(value)
        given = self._loose(value)
        if not given.charts and value is not None:
            self.warn(
                f'result is of type {class_name(type(value))} and was taken as the output; '
                'set result = {"output": ..., "chart": ...}'
            )
        return given

    def last(self, value: Any) -> Given:
        """Read the value of the last expression, where there is no ``result``."""
        return self._loose(value)

    def _keys(self, value: dict[Any, Any]) -> Given:
        given = Given(more={key: item for key, item in value.items() if key not in ("output", "chart", "charts")})
        self._take_output(value, given)
        for key, item in value.items():
            if key in ("chart", "charts"):
                given.charts += _listed(item)
            elif key in given.more and any((_is_chart if key in _CHART_KEYS else _is_figure)(each) for each in _listed(item)):
                given.more.pop(key, None)
                given.charts += _listed(item)
                self.warn(f'result["{clean(str(key))[:40]}"] was read as result["chart"]')
        if given.more:
            names = ", ".join(repr(clean(str(key))[:40]) for key in list(given.more)[:5])
            self.warn(f'result has keys that are not shown: {names}; it has "output" and "chart"')
        return given

    def _take_output(self, value: dict[Any, Any], given: Given) -> None:
        for key in _OUTPUT_KEYS:
            if value.get(key) is None:
                continue
            given.more.pop(key, None)
            given.output = value[key]
            if key != "output":
                self.warn(f'result["{key}"] was read as result["output"]')
            break
        if _is_figure(given.output):
            given.charts.append(given.output)
            given.output = None
            self.warn('result["output"] is a figure and was read as result["chart"]')

    def _loose(self, value: Any) -> Given:
        """Read a value that is no dict of the documented form: a figure, several, a text with some, or a text."""
        if _is_chart(value):
            return Given(charts=[value])
        if isinstance(value, (list, tuple)) and any(_is_chart(each) for each in value):
            others = [each for each in value if not _is_chart(each) and each is not None]
            output = others[0] if len(others) == 1 else others or None
            return Given(output, (each for each in value if _is_chart(each)))
        return Given(value)

    # What becomes of it.

    def output(self, value: Any, most: int, meant: bool) -> Json:
        """Return an output's JSON form, with a text of at most most bytes in place of what is longer.

        Where it is not meant, but merely what the script ended with, an object without a form is none.
        """
        if value is None:
            return None
        converter = Converter(self._left // 2, self._figure)
        form, error = attempt(lambda: value if isinstance(value, str) else text_of(value) or converter.convert(value))
        if error is not None and not isinstance(error, Exception):
            raise error
        if converter.opaque and not meant:
            return None
        if error is not None or converter.opaque or form is None:  # NaN has no form, and is not nothing
            form = str(value)
        text = clean(form) if isinstance(form, str) else json.dumps(form)
        kept = self._cut(text, most)
        self._left -= len(json.dumps(kept))
        return form if kept is text and not isinstance(form, str) else kept

    def _cut(self, text: str, most: int) -> str:
        data = str.encode(text, "utf-8")
        if len(data) <= most:
            return text
        size = cut(data, max(most - _NOTE_BYTES, 0))
        self.warn(f"the output was cut: it has {len(data)} bytes, and the policy keeps {most}; give a summary")
        note = f"\n[cut: {len(data) - size} of {len(data)} bytes; the policy keeps {most}]"
        return data[:size].decode("utf-8") + note

    def more(self, items: dict[Any, Any]) -> dict[str, Json]:
        """Return what else a result has: it is kept with the result, as far as it has a form."""
        converter = Converter(self._left // 2, self._figure)
        form, error = attempt(lambda: converter.convert(items))
        if error is not None and not isinstance(error, Exception):
            raise error
        if not isinstance(form, dict):
            self.warn(f"the other keys of result were left out: {_reason(error)}")
            return {}
        self._left -= len(json.dumps(form))
        return form

    def charts(self, values: Iterable[Any]) -> list[Json]:
        """Return the charts that can be drawn, as plain data."""
        kept: list[Json] = []
        for number, value in enumerate(values, 1):
            if len(kept) == self._most:
                self.warn(f"charts after the first {self._most} were left out: the policy allows no more")
                break
            spec, why = self._spec(value)
            if why:
                self.warn(f"chart {number} was left out: {why}")
            else:
                kept.append(spec)
        return kept

    def _spec(self, value: Any) -> tuple[Json, str]:
        """Return a chart as plain data, or why there is none."""
        if isinstance(value, str) and str.lstrip(value).startswith("<"):
            return None, "it is HTML; give the figure itself"  # of several MiB, with all of plotly.js
        converter = _Drawing(self._left, self._figure)
        form, error = attempt(lambda: _whole(converter.convert(_parsed(value))))
        if error is not None and not isinstance(error, Exception):
            raise error
        if converter.excess:
            return None, self._too_large("more")
        if error is not None:
            return None, _reason(error)
        why = _nothing(form)
        size = 0 if why else len(json.dumps(form))
        if size > self._left:
            return None, self._too_large(f"{size} bytes")
        self._left -= size
        return form, why

    def _too_large(self, size: str) -> str:
        return (
            f"it takes {size}, and {max(self._left, 0)} bytes are left of what result and charts may take together; "
            "aggregate or sample the data before it is drawn"
        )


def _told(value: Any) -> dict[str, Any] | None:
    """Return the dict with an output or a chart that a text says, if it is one."""
    if type(value) is not str or not value.lstrip().startswith("{"):
        return None
    found, _ = attempt(lambda: json.loads(value))
    return found if type(found) is dict and found.keys() & {"output", "chart", "charts"} else None


def text_of(value: Any) -> str | None:
    """Return a table as text, for whoever reads a sentence."""
    pandas: Any = sys.modules.get("pandas")
    styler = getattr(sys.modules.get("pandas.io.formats.style"), "Styler", None)
    if styler is not None and isinstance(value, styler):
        value = value.data
    if pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series)):
        return str(value.to_string(max_rows=_MAX_ROWS))
    return None


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, dict) and not _is_spec(value) and any(_is_chart(each) for each in value.values()):
        return list(value.values())
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _is_chart(value: Any) -> bool:
    return _is_figure(value) or (isinstance(value, dict) and _is_spec(value))


def _is_figure(value: Any) -> bool:
    return any(
        known is not None and isinstance(value, known)
        for known in (
            getattr(sys.modules.get("plotly.basedatatypes"), "BaseFigure", None),
            getattr(sys.modules.get("matplotlib.figure"), "Figure", None),
            getattr(sys.modules.get("matplotlib.axes"), "Axes", None),
        )
    )


def _is_spec(value: dict[Any, Any]) -> bool:
    """Tell whether a dict is a figure's own form, and no result that holds one."""
    data = value.get("data")
    return isinstance(data, (list, tuple, dict)) and value.keys() <= _SPEC_KEYS


def _parsed(value: Any) -> Any:
    """Return what the text of ``to_json()`` says."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        return json.loads(value)
    return value


def _whole(form: Json) -> Json:
    """Make a figure of a trace that stands alone."""
    if not isinstance(form, dict):
        return form
    if "data" not in form and "type" in form and _POINTS & form.keys():
        return {"data": [form]}
    if form.get("layout", form) is None:
        form = {key: item for key, item in form.items() if key != "layout"}
    data = form.get("data")
    if isinstance(data, dict) and "type" in data:
        return {**form, "data": [data]}
    return form


def _nothing(form: Json) -> str:
    """Say why nothing would be drawn, or nothing."""
    if isinstance(form, str) and "<" in form:
        return "it is HTML; give the figure itself"
    if not isinstance(form, dict):
        return "it is no chart; give a plotly figure, or a dict with a list named data"
    if "text" in form and form.keys() == {"type", "text"}:
        return f"it is of type {str(form['type'])[:80]}; give a plotly figure, or a dict with a list named data"
    data = form.get("data")
    if not isinstance(data, list) or not data or not all(isinstance(trace, dict) for trace in data):
        return "it has no data: give a plotly figure, or a dict whose data is a list with at least one trace, each an object"
    if not isinstance(form.get("layout", {}), dict):
        return "its layout is no object"
    return ""


def _reason(error: BaseException | None) -> str:
    if error is None:
        return "they have no form as data"
    text, failed = attempt(lambda: str(error))
    return f"{class_name(type(error))}: {(text or '')[:200]}" if failed is None else class_name(type(error))
