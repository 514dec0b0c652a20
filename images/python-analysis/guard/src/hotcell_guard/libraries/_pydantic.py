"""pydantic: where its validators are built (``_models``), and where it looks for names (``_evaluation``)."""

from __future__ import annotations

from hotcell_guard.libraries._changes import each
from hotcell_guard.libraries._models import BUILDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]

_READING_FRAMES: Final = (
    "pydantic.type_adapter pydantic._internal._typing_extra pydantic._internal._generics "
    "pydantic._internal._model_construction pydantic._internal._namespace_utils"
).split()
"""Modules that look for names in a frame at a depth that a script can give, or in a module that a class names."""


def changes(means: Means) -> Changes:
    """Return the change to each module."""
    built, looked = means.models.check_built, means.evaluation.frames
    both = set(BUILDERS) & set(_READING_FRAMES)
    return {
        "pydantic_core": means.models.check_calls,
        **dict.fromkeys(BUILDERS, built),
        **dict.fromkeys(_READING_FRAMES, looked),
        **dict.fromkeys(both, each(built, looked)),
    }
