"""requests."""

from __future__ import annotations

from hotcell_guard.libraries._changes import keep_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(_: Means) -> Changes:
    """Return the change to each module."""
    return {"requests.structures": lambda module: keep_own(module.LookupDict, "get")}
