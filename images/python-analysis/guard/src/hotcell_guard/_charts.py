"""Figures: what matplotlib has open at the end, and plotly's objects."""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final, NoReturn

    from hotcell_guard._result import Converter, Json

__all__ = ["FIGURES_DIR", "Figures", "TooManyFiguresError"]

FIGURES_DIR: Final = "figures"


class TooManyFiguresError(Exception):
    """The script made more figures than the policy accepts."""


class Figures:
    """Collects a run's figures. Never imports a plotting package itself."""

    def __init__(self, output: str, limit: int) -> None:
        self._output = output
        self._limit = limit
        self._plotly: list[Any] = []  # in the order in which they were seen
        self._patched: set[str] = set()
        self.paths: list[str] = []

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
        if self._first("matplotlib.pyplot"):
            _set(sys.modules["matplotlib.pyplot"], "show", _keep_open)
        if self._first("matplotlib.figure"):
            _set(sys.modules["matplotlib.figure"].Figure, "show", _keep_open)

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
        if known and isinstance(figure, known) and not any(figure is kept for kept in self._plotly):
            self._plotly.append(figure)
        return _plain(figure)

    def collect(self, namespace: Mapping[str, object], converter: Converter) -> list[Json]:
        """Save what matplotlib has open, and return all charts: images first."""
        known = _plotly_type()
        if known:
            self._remember(value for value in list(namespace.values()) if isinstance(value, known))
        pyplot: Any = sys.modules.get("matplotlib.pyplot")
        numbers = pyplot.get_fignums() if pyplot else []
        self._check(len(numbers) + len(self._plotly))
        charts: list[Json] = [self._save(pyplot.figure(number)) for number in numbers]
        for figure in self._plotly:
            charts.append({"kind": "plotly", "spec": converter.convert(_plain(figure))})
        return charts

    def _remember(self, figures: Iterable[Any]) -> None:
        for figure in figures:
            if not any(figure is kept for kept in self._plotly):
                self._plotly.append(figure)

    def _check(self, count: int) -> None:
        if count > self._limit:
            raise TooManyFiguresError(
                f"the script made {count} figures and may make {self._limit}; "
                "close those that are not needed with plt.close() or draw several axes in one figure"
            )

    def _save(self, figure: Any) -> Json:
        directory = f"{self._output}/{FIGURES_DIR}"
        os.makedirs(directory, exist_ok=True)
        path = self._free_path()
        figure.savefig(f"{self._output}/{path}", format="png")
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


def _plain(figure: Any) -> dict[str, Any]:
    """Return a plotly figure, or a dict that stands for one, without its classes."""
    if isinstance(figure, dict):
        return figure
    spec: dict[str, Any] = json.loads(figure.to_json())
    return spec


def _set(owner: Any, name: str, value: object) -> None:
    setattr(owner, name, value)


def _refuse_images(owner: Any) -> None:
    for name in ("to_image", "write_image"):
        _set(owner, name, _no_image)


def _no_image(*args: object, **options: object) -> NoReturn:
    """Say where images come from: plotly starts a browser to make one."""
    raise NotImplementedError(
        "plotly figures are collected as data and have no image here; draw with matplotlib for an image, "
        "or use write_html()"
    )


def _keep_open(*args: object, **options: object) -> None:
    """Show nothing: there is no screen. The figure stays open and is reported."""
