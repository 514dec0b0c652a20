"""Figures that the script has saved itself: their files leave, and they need not come a second time."""

from __future__ import annotations

import os
import sys
from functools import wraps
from hashlib import sha256
from io import BufferedWriter
from pathlib import PosixPath
from weakref import ref

from hotcell_guard.answering._errors import attempt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any
    from weakref import ReferenceType

__all__ = ["Saved"]


class Saved:
    """Knows which figures are in a file of the output directory as they are now. All that it can do is leave one out."""

    def __init__(self, output: str, endings: Sequence[str]) -> None:
        self._output = output.rstrip("/") + "/"
        self._endings = tuple(endings)  # of files that can leave; none where that is not told
        self._files: dict[int, tuple[ReferenceType[Any], str, bytes | None]] = {}

    def has(self, figure: Any) -> bool:
        """Tell whether a file that leaves shows the figure, and nothing has changed in it since."""
        seen, path, content = self._files.get(id(figure), (None, "", None))
        if seen is None or seen() is not figure or not os.path.isfile(path):
            return False
        return not figure.stale if content is None else content == _digest(figure)

    def watch_drawn(self, kind: Any) -> None:
        """Remember what is saved of matplotlib's figures; kind is their class."""
        kind.savefig, kind.draw = self._saving(kind.savefig), self._drawing(kind.draw)

    def watch_plotly(self, module: Any, keep: Callable[[Any], object]) -> None:
        """Remember what is written of plotly's figures; module is plotly.io. Of pages the figure is kept."""
        module.write_json = self._writing(module.write_json)
        module.write_html = self._paging(module.write_html, keep)

    def _saving(self, savefig: Any) -> Any:
        @wraps(savefig)
        def saved(self_: Any, fname: Any, *args: Any, **options: Any) -> Any:
            before = None if self_.stale else self._files.get(id(self_))
            given = savefig(self_, fname, *args, **options)
            path = self._leaving(_named(fname, options.get("format")))
            if path:
                self._note(self_, path, None)
            elif before is not None:
                self._files[id(self_)] = before
            if path or before is not None:
                self_.stale = False  # saving sets the colour of the paper, and sets it back
            return given

        return saved

    def _drawing(self, draw: Any) -> Any:
        @wraps(draw)
        def drawn(self_: Any, renderer: Any) -> Any:
            if self_.stale:  # no more after this
                self._files.pop(id(self_), None)
            return draw(self_, renderer)

        return drawn

    def _writing(self, write: Any) -> Any:
        @wraps(write)
        def written(fig: Any, file: Any, *args: Any, **options: Any) -> Any:
            given = write(fig, file, *args, **options)
            path = self._leaving(_named(file, "data"))
            known = getattr(sys.modules.get("plotly.basedatatypes"), "BaseFigure", None)
            if path and known and isinstance(fig, known):
                content, _ = attempt(lambda: _digest(fig))
                if content:
                    self._note(fig, path, content)
            return given

        return written

    def _paging(self, write: Any, keep: Callable[[Any], object]) -> Any:
        """Keep the figure for the answer in place of a page below OUTPUT: all of plotly's have a script, and cannot leave."""

        @wraps(write)
        def paged(fig: Any, file: Any, *args: Any, **options: Any) -> Any:
            path = os.path.abspath(_named(file, "data") or "/")
            known = getattr(sys.modules.get("plotly.basedatatypes"), "BaseFigure", None)
            if not path.startswith(self._output) or not known or not isinstance(fig, known):
                return write(fig, file, *args, **options)
            keep(fig)
            stream = sys.__stderr__  # the run's own, whatever the script has put in the place of sys.stderr
            if stream is not None:
                name = path[len(self._output) :][:200]
                stream.write(f"warning: {name!r} was not written: its script could not leave; the figure is in the answer\n")
            return None

        return paged

    def _note(self, figure: Any, path: str, content: bytes | None) -> None:
        if len(self._files) >= 1000:
            self._files = {key: each for key, each in self._files.items() if each[0]() is not None}
        self._files[id(figure)] = (ref(figure), path, content)

    def _leaving(self, path: str | None) -> str | None:
        """Return the absolute path if it is one of a file that leaves."""
        name = os.path.abspath(path) if path else ""
        base = name.rpartition("/")[2]
        leaves = name.startswith(self._output) and (not self._endings or base[base.rfind(".") :].lower() in self._endings)
        return name if leaves else None


def _named(target: Any, form: Any) -> str | None:
    """Return the path that a target stands for. Nothing of a class of the script's is asked what it is."""
    pages = getattr(sys.modules.get("matplotlib.backends.backend_pdf"), "PdfPages", None)
    if type(target) is PosixPath:
        target = str(target)
    elif type(target) is BufferedWriter:
        target = target.name
    elif pages is not None and type(target) is pages:
        target = vars(target).get("_filename")
        target = str(target) if type(target) is PosixPath else target
    if type(target) is not str:
        return None
    if form is None and "." not in target.rpartition("/")[2]:  # matplotlib adds an ending
        ending = sys.modules["matplotlib"].rcParams["savefig.format"]
        return f"{target}.{ending}" if type(ending) is str else None
    return target


def _digest(figure: Any) -> bytes:
    return sha256(str(figure.to_json()).encode("utf-8", "surrogatepass")).digest()
