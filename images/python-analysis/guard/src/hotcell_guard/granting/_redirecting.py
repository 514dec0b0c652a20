"""The three streams that a script finds in ``sys``, and what it puts in their places.

What it writes there goes to Python's own names, as contextlib.redirect_stdout's does: whoever
prints, prints there. Nobody writes to its standard input, so that is at its end.
"""

from __future__ import annotations

import io
import sys
import warnings
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from hotcell_guard.granting._exits import Exits

__all__ = ["NAMES", "Streams"]

NAMES: Final = frozenset(("stdin", "stdout", "stderr", "excepthook"))
_OF_WARNINGS: Final = frozenset(("showwarning", "formatwarning"))


class Warned:
    """Stands for ``warnings`` where a script says how a warning is shown. It is called with what the warning says."""

    __slots__ = ("_view",)

    def __init__(self, view: ModuleType) -> None:
        self._view = view

    def _set(self, name: str, value: Any) -> None:
        if not callable(value):
            raise TypeError(f"warnings.{name} must be a function")
        setattr(warnings, name, value)
        vars(self._view)[name] = value

    @property
    def showwarning(self) -> Any:
        """What shows a warning."""
        return warnings.showwarning

    @showwarning.setter
    def showwarning(self, value: Any) -> None:
        self._set("showwarning", value)

    @property
    def formatwarning(self) -> Any:
        """What makes a text of a warning."""
        return warnings.formatwarning

    @formatwarning.setter
    def formatwarning(self, value: Any) -> None:
        self._set("formatwarning", value)


class Streams:
    """Stands for ``sys`` where a script sets one of its streams, or reads one that it may have set."""

    __slots__ = ("_exits", "_given", "_input", "view")

    def __init__(self, exits: Exits) -> None:
        self._exits = exits
        self.view: ModuleType | None = None  # that of sys
        self._input: Any = None
        self._given = False

    def instead(self, obj: Any, name: str) -> Any:
        """Return what stands for a module where one of its names is set that are the script's to set, else the object."""
        if name in NAMES and obj is self.view:
            return self
        if name in _OF_WARNINGS and type(obj) is ModuleType and vars(obj).get("__name__") == "warnings":
            return Warned(obj)
        return obj

    @property
    def excepthook(self) -> Any:
        """What is called with an exception that ends the script."""
        return self._exits.hook

    @excepthook.setter
    def excepthook(self, hook: Any) -> None:
        self._exits.hook = hook

    @property
    def stdin(self) -> Any:
        """What input() reads: the script's own, or a text that is at its end."""
        if self._input is None and not self._given:
            self._input = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        return self._input

    @stdin.setter
    def stdin(self, stream: object) -> None:
        self._input, self._given = stream, True

    @property
    def stdout(self) -> Any:
        """Where print() writes."""
        return sys.stdout

    @stdout.setter
    def stdout(self, stream: Any) -> None:
        sys.stdout = stream

    @property
    def stderr(self) -> Any:
        """Where warnings and logs are written."""
        return sys.stderr

    @stderr.setter
    def stderr(self, stream: Any) -> None:
        sys.stderr = stream

    def readers(self) -> dict[str, Callable[[], object]]:
        """Return what returns each of the streams, by its name."""
        streams = {"stdin": lambda: self.stdin, "stdout": lambda: self.stdout, "stderr": lambda: self.stderr}
        return {**streams, "excepthook": lambda: self.excepthook}

    def asking(self, hint: str) -> Callable[..., str]:
        """Return the run's input(). hint is what the script could do instead where nobody answers."""

        def input(prompt: object = "", /) -> str:  # noqa: A001
            """Read a line of sys.stdin. Nobody writes there: unless the script has set it, that is the end of the file."""
            print(prompt, end="", flush=True)
            line = self.stdin.readline()
            if not isinstance(line, str):
                raise TypeError("sys.stdin.readline() returned no text")
            if not line:
                raise EOFError("EOF when reading a line" if self._given else f"there is nobody to ask; {hint}")
            return line[:-1] if line.endswith("\n") else line

        return input
