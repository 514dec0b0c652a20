"""``getpass`` for the script: nobody types anything here, and there is one user, whose name tells nothing."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

__all__ = ["contents"]

_USER: Final = "user"


class GetPassWarning(UserWarning):
    """What is typed may be shown."""


def contents(ask: Callable[..., str]) -> dict[str, object]:
    """Return what the module holds. ask is the run's input()."""

    def getpass(prompt: str = "Password: ", stream: object = None) -> str:
        """Read a line of sys.stdin, as input() does. Nobody writes there: unless the script has set it, it is at its end."""
        print(prompt, end="", flush=True, file=sys.stderr)  # as Python does without a terminal
        return ask()

    def getuser() -> str:
        """Return the name of the user: always the same."""
        return _USER

    return {"getpass": getpass, "getuser": getuser, "GetPassWarning": GetPassWarning}
