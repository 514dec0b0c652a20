"""Files that cannot leave: said when they are made, and not only when the run has ended."""

from __future__ import annotations

import os
import sys
from functools import wraps
from pathlib import PosixPath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final

__all__ = ["Endings"]

_MOST_TOLD: Final = 20


class Endings:
    """What the host lets out by a file's ending. It decides nothing: the host does."""

    def __init__(self, output: str, endings: Sequence[str]) -> None:
        self._output = output.rstrip("/") + "/"
        self._endings = tuple(endings)
        self._told: set[str] = set()
        self._patched = False

    def look(self, path: str) -> None:
        """Warn, once, of a file below the output directory whose ending cannot leave. path is an exact str."""
        name = os.path.abspath(path)
        if not self._endings or not name.startswith(self._output):
            return
        base = name.rpartition("/")[2]
        if base[base.rfind(".") :].lower() in self._endings or name in self._told or len(self._told) >= _MOST_TOLD:
            return
        self._told.add(name)
        stream = sys.__stderr__  # the run's own, whatever the script has put in the place of sys.stderr
        if stream is not None:
            shown = name[len(self._output) :][:200]
            stream.write(f"warning: {shown!r} will not leave the sandbox: files that do end in {', '.join(self._endings)}\n")

    def patch(self) -> None:
        """Look at what figures are saved as, once matplotlib is there. Repeatable."""
        loaded: Any = sys.modules.get("matplotlib.figure")
        initializing = getattr(getattr(loaded, "__spec__", None), "_initializing", False)
        if loaded is None or initializing or self._patched or not self._endings:
            return
        self._patched = True
        loaded.Figure.savefig = _looking(loaded.Figure.savefig, self.look)


def _looking(savefig: Any, look: Callable[[str], None]) -> Any:
    @wraps(savefig)
    def saved(self: Any, fname: Any, *args: Any, **options: Any) -> Any:
        # Nothing of a class of the script's is asked what it is.
        path = str(fname) if type(fname) is PosixPath else fname
        if type(path) is str and "." in path.rpartition("/")[2]:  # else matplotlib adds an ending
            look(path)
        return savefig(self, fname, *args, **options)

    return saved
