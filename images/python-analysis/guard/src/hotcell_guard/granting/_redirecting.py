"""The three streams that a script finds in ``sys``, and what it puts in their places.

What it writes there goes to Python's own names, as contextlib.redirect_stdout's does: whoever
prints, prints there. Nobody writes to its standard input, so that is at its end.
"""

from __future__ import annotations

import io
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["NAMES", "Streams"]

NAMES: Final = frozenset(("stdin", "stdout", "stderr"))


class Streams:
    """Stands for ``sys`` where a script sets one of its streams, or reads one that it may have set."""

    __slots__ = ("_given", "_input")

    def __init__(self) -> None:
        self._input: Any = None
        self._given = False

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
        return {"stdin": lambda: self.stdin, "stdout": lambda: self.stdout, "stderr": lambda: self.stderr}

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
