"""pypdf."""

from __future__ import annotations

from hotcell_guard.libraries._changes import put, script_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]


def changes(means: Means) -> Changes:
    """Return the change to each module: what a script names is the script's to open, and pictures stay in the document."""
    opener = script_open(means)
    return {
        "pypdf._reader": put("open", opener),
        "pypdf._writer": put("open", opener),
        "pypdf._utils": put("open", opener),
        "pypdf.filters": put("_xobj_to_image", _no_picture),
    }


def _no_picture(*given: object, **options: object) -> NoReturn:
    raise NotImplementedError("pictures are not taken out of a document here; page.extract_text() gives its text")
