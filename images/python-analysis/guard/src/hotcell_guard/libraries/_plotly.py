"""plotly."""

from __future__ import annotations

from hotcell_guard.answering import _warnings
from hotcell_guard.libraries._changes import hide_modules, joined
from hotcell_guard.vetting import _floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]

_LATE_LOADERS: Final = (
    "_plotly_utils.optional_imports _plotly_utils.basevalidators plotly.basedatatypes plotly.utils "
    "plotly.optional_imports"
).split()
"""Modules that load numpy or pandas when a figure first holds something like an array."""

_PRINTERS: Final = ("plotly.tools", "plotly.matplotlylib.renderer")
"""Modules that make all warnings, also those of others, look as theirs do."""


def changes(_: Means) -> Changes:
    """Return the change to each module."""
    return joined(
        {
            "plotly.graph_objs._layout": lambda module: hide_modules(module.Layout),
        },
        dict.fromkeys(_LATE_LOADERS, _load_no_floor),
        dict.fromkeys(_PRINTERS, lambda _: _warnings.restore()),
    )


def _load_no_floor(module: Any) -> None:
    original = module.get_module

    def get_module(name: str, should_load: bool = True) -> Any:
        exact = str.__str__(name)
        return None if _floor.import_is_floor(exact) else original(exact, should_load)

    module.get_module = get_module
