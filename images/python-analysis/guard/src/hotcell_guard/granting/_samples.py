"""matplotlib's sample data: files of the image that its examples read by name."""

from __future__ import annotations

import errno
import io
import os

from hotcell_guard.granting._places import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_sample_data"]


def get_sample_data(fname: object, asfileobj: bool = True) -> Any:
    """Return a sample data file: a file object, or its path.

    A .gz is ungzipped, a .npy or .npz loaded. matplotlib's own opens whatever a path leads to.
    """
    import matplotlib as mpl  # who asks has it

    text = text_of(fname)
    root = os.path.join(os.path.realpath(mpl.get_data_path()), "sample_data")
    place = os.path.realpath(os.path.join(root, text))
    if not place.startswith(root + "/"):
        raise PermissionError(errno.EACCES, "sample data are asked for by their names", text)
    return _opened(place) if asfileobj else place


def _opened(place: str) -> Any:
    match os.path.splitext(place)[1].lower():
        case ".gz":
            import gzip

            return gzip.open(place)
        case ".npy" | ".npz":
            import numpy as np

            return np.load(place)
        case ".csv" | ".xrc" | ".txt":
            return io.open(place, encoding="utf-8")
        case _:
            return io.open(place, "rb")
