"""Figures: what matplotlib has open at the end, and plotly's objects."""

from __future__ import annotations

import json
import os
import sys
from weakref import ref

from hotcell_guard.answering._errors import attempt, last_line
from hotcell_guard.answering._result import class_name
from hotcell_guard.answering._saved import Saved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Final, NoReturn
    from weakref import ReferenceType

    from hotcell_guard.answering._result import Converter, Json

__all__ = ["FIGURES_DIR", "Figures"]

FIGURES_DIR: Final = "figures"


class Figures:
    """Collects a run's figures. Never imports a plotting package itself."""

    def __init__(self, output: str, limit: int, endings: Sequence[str] = ()) -> None:
        self._output = output
        self._saved = Saved(output, endings)
        self.limit = limit
        self._plotly: list[Any] = []  # in the order in which they were seen
        self._reported: list[ReferenceType[Any]] = []  # of earlier scripts in this namespace
        self._patched: set[str] = set()
        self.paths: list[str] = []

    def begin(self) -> None:
        """Begin a script: what an earlier one has left is not its own."""
        self._reported = [seen for seen in self._reported if seen() is not None]
        self._reported += map(ref, self._plotly)
        self._plotly.clear()
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        if pyplot:
            pyplot.close("all")

    def patch(self) -> None:
        """Make show() keep figures, in the packages loaded by now. Repeatable."""
        if self._first("plotly.basedatatypes"):
            _set(sys.modules["plotly.basedatatypes"].BaseFigure, "show", self._show)
            _refuse_images(sys.modules["plotly.basedatatypes"].BaseFigure)
        if self._first("plotly.io._renderers"):
            _set(sys.modules["plotly.io._renderers"], "show", self._show)
        if self._first("plotly.io"):
            _set(sys.modules["plotly.io"], "show", self._show)
            _refuse_images(sys.modules["plotly.io"])
            self._saved.watch_plotly(sys.modules["plotly.io"], self._keep_once)
        if self._first("matplotlib.pyplot"):
            _set(sys.modules["matplotlib.pyplot"], "show", _keep_open)
        if self._first("matplotlib.figure"):
            _set(sys.modules["matplotlib.figure"].Figure, "show", _keep_open)
            self._saved.watch_drawn(sys.modules["matplotlib.figure"].Figure)

    def _first(self, module: str) -> bool:
        loaded = sys.modules.get(module)
        spec = getattr(loaded, "__spec__", None)
        if loaded is None or module in self._patched or getattr(spec, "_initializing", False):
            return False
        self._patched.add(module)
        return True

    @property
    def _show(self) -> Any:
        def show(figure: Any, *args: object, **options: object) -> None:
            """Keep the figure for the report."""
            self.keep(figure)

        return show

    def keep(self, figure: Any) -> dict[str, Any]:
        """Remember a plotly figure, once, and return it as a plain dict."""
        known = _plotly_type()
        if known and isinstance(figure, known):
            self._keep_once(figure)
        return _plain(figure)

    def collect(self, namespace: Mapping[str, object], converter: Converter, warn: Callable[[str], None]) -> list[Json]:
        """Save what matplotlib has open, and return all charts, images first, as many as the policy takes.

        What the script has saved is given.
        """
        bound = list(namespace.values())
        self._remember([value for value in bound if not self._saved.has(value)])
        drawn = [figure for figure in _drawn(bound) if not self._saved.has(figure)]
        if len(drawn) + len(self._plotly) > self.limit:
            warn(self._left_out(len(drawn) + len(self._plotly)))
        charts = self.save(drawn[: self.limit], 0, warn)
        for figure in self._plotly[: self.limit - len(charts)]:
            charts.append({"kind": "plotly", "spec": converter.convert(_plain(figure))})
        return charts

    def _left_out(self, count: int) -> str:
        if not self.limit:
            return f"{count} figures were left out: the policy takes none; print what they show"
        return (
            f"the first {self.limit} of {count} figures were kept: the policy takes no more; close those that are not "
            "needed with plt.close(), or draw several axes in one figure"
        )

    def plain(self, figure: Any) -> dict[str, Any]:
        """Return a plotly figure, or a dict that stands for one, as a plain dict."""
        return _plain(figure)

    def shown(self, namespace: Mapping[str, object], more: Iterable[Any]) -> list[Any]:
        """Return the plotly figures that were shown or are bound to a name. more are the answer's own, and no later one's."""
        self._remember(list(namespace.values()))
        found = list(self._plotly)
        self._remember(more)
        return found

    def is_drawn(self, value: Any) -> bool:
        """Tell whether a chart is a picture, and not data."""
        return _picture(value) is not None

    def drawn(self, namespace: Mapping[str, object], more: Iterable[Any]) -> list[Any]:
        """Return the figures of matplotlib's: open ones, those bound to a name, and more."""
        figures = _drawn(list(namespace.values()))
        for figure in map(_picture, more):
            if figure is not None and not any(figure is each for each in figures):
                figures.append(figure)
        return figures

    def save(self, drawn: Sequence[Any], others: int, warn: Callable[[str], None]) -> list[Json]:
        """Save figures of matplotlib's, and warn of those that cannot be. others are charts that count, too."""
        charts: list[Json] = []
        for figure in drawn:
            if len(charts) + others == self.limit:
                warn(f"figures after the first {self.limit} were left out: the policy allows no more")
                break
            chart, error = attempt(lambda figure=figure: self._save(figure))  # type: ignore[misc]
            if error is not None and (not isinstance(error, Exception) or isinstance(error, OSError)):
                raise error  # a full directory is the run's
            if error is not None:
                why = f"{class_name(type(error))}: {last_line(error)}"
                warn(f"figure {len(charts) + 1} was left out: it could not be drawn ({why})")
            else:
                charts.append(chart)
        return charts

    def _remember(self, values: Iterable[Any]) -> None:
        """Take the plotly figures that are bound to a name, unless they have been reported."""
        known = _plotly_type()
        for value in values:
            if known and isinstance(value, known) and not any(value is seen() for seen in self._reported):
                self._keep_once(value)

    def _keep_once(self, figure: Any) -> None:
        if not any(figure is kept for kept in self._plotly):
            self._plotly.append(figure)

    def _save(self, figure: Any) -> Json:
        directory = f"{self._output}/{FIGURES_DIR}"
        os.makedirs(directory, exist_ok=True)
        path = self._free_path()
        kind = sys.modules["matplotlib.figure"].Figure  # what a class of the script's does for its own files is not asked for
        kind.savefig(figure, f"{self._output}/{path}", format="png")
        self.paths.append(path)
        return {"kind": "matplotlib", "path": path}

    def _free_path(self) -> str:
        """Return the next name that the script has not taken for a file of its own."""
        number = len(self.paths) + 1
        while os.path.lexists(f"{self._output}/{FIGURES_DIR}/figure-{number:02}.png"):
            number += 1
        return f"{FIGURES_DIR}/figure-{number:02}.png"


def _plotly_type() -> Any:
    module: Any = sys.modules.get("plotly.basedatatypes")
    return getattr(module, "BaseFigure", None)


def _drawn(bound: Iterable[Any]) -> list[Any]:
    """Return pyplot's open figures, and those that were made without pyplot."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()] if pyplot else []
    known: Any = getattr(sys.modules.get("matplotlib.figure"), "Figure", None)
    for value in bound:
        # One that has a number was pyplot's: it is open, or the script closed it.
        own = known and isinstance(value, known) and not hasattr(value, "number")
        if own and not any(value is figure for figure in figures):
            figures.append(value)
    return figures


def _picture(value: Any) -> Any:
    """Return the figure that an object of matplotlib's stands for, or None."""
    figure: Any = getattr(sys.modules.get("matplotlib.figure"), "Figure", None)
    axes: Any = getattr(sys.modules.get("matplotlib.axes"), "Axes", None)
    if figure and isinstance(value, figure):
        return value
    return value.figure if axes and isinstance(value, axes) else None


def _plain(figure: Any) -> dict[str, Any]:
    """Return a plotly figure, or a dict that stands for one, without its classes."""
    if isinstance(figure, dict):
        return figure
    spec: dict[str, Any] = json.loads(figure.to_json(), object_hook=_untyped)
    return spec


def _untyped(fields: dict[str, Any]) -> Any:
    """Turn plotly's typed arrays (version 6 writes them) into lists that any reader knows."""
    if "bdata" not in fields or not fields.keys() <= {"bdata", "dtype", "shape"}:
        return fields
    import base64  # only such a figure needs it

    array = sys.modules["numpy"].frombuffer(base64.b64decode(fields["bdata"]), fields["dtype"])
    shape = [int(size) for size in str(fields.get("shape", array.size)).split(",")]
    return array.reshape(shape).tolist()


def _set(owner: Any, name: str, value: object) -> None:
    setattr(owner, name, value)


def _refuse_images(owner: Any) -> None:
    for name in ("to_image", "write_image"):
        _set(owner, name, _no_image)


def _no_image(*args: object, **options: object) -> NoReturn:
    """Say where images come from: plotly starts a browser to make one."""
    raise NotImplementedError(
        "plotly figures are collected as data and have no image here; leave the figure open, or make it the "
        "result; matplotlib, where the policy has it, draws images"
    )


def _keep_open(*args: object, **options: object) -> None:
    """Show nothing: there is no screen. The figure stays open and is reported."""
