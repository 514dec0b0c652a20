"""The bundle's tables become DataFrames before the run's code begins."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hotcell_guard.granting._views import Views
    from hotcell_guard.speaking._start import Preload, Table

__all__ = ["ModuleFault", "PreparationFault", "TableFault", "load", "of_plain", "preload"]


class PreparationFault(Exception):
    """What the script is to find cannot be made ready."""


class TableFault(PreparationFault):
    """A table cannot be loaded; the message names it and says why."""


class ModuleFault(PreparationFault):
    """A module that the policy preloads cannot be imported."""


def load(bundle: str, tables: Sequence[Table]) -> dict[str, object]:
    """Map the tables in their order, and hide where they lie. Imports pandas only if there is one."""
    if bundle:
        from hotcell_guard.granting import _hiding

        _hiding.hide(bundle)
    return {table.name: _load(f"{bundle}/{table.path}", table) for table in tables}


def _load(path: str, table: Table) -> object:
    from hotcell_guard.granting import _frames, _prepared

    try:
        return _frames.frame(_prepared.open_table(path))
    except (OSError, ValueError, ImportError, MemoryError) as error:
        told = isinstance(error, (OSError, ImportError, _prepared.PreparedFault))  # others' texts may quote data
        reason = "there is not enough memory" if isinstance(error, MemoryError) else str(error) if told else type(error).__name__
        raise TableFault(f"table {table.name!r} ({table.path}) cannot be loaded: {reason}") from error


def preload(views: Views, modules: Sequence[Preload]) -> dict[str, object]:
    """Import the modules that the script finds by name, and return their views."""
    return {module.name: _preloaded(views, module) for module in modules}


def _preloaded(views: Views, module: Preload) -> object:
    try:
        return views.load(module.module) if module.plain else views.member(module.module, module.member)
    except ImportError as error:
        what = f"module {module.module!r}" if module.plain else f"{module.member!r} of module {module.module!r}"
        reason = f"{what}, preloaded as {module.name!r}, cannot be imported in this image"
        raise ModuleFault(reason) from error


def of_plain(value: object) -> object:
    """Return a DataFrame for a dict of columns, rows and perhaps an index, as a result has it; else the value."""
    if not isinstance(value, dict) or not {"columns", "rows"} <= value.keys() <= {"columns", "rows", "index", "index_names"}:
        return value
    columns, rows, index, names = (value.get(key) for key in ("columns", "rows", "index", "index_names"))
    if not isinstance(columns, list) or not _are_rows(rows, len(columns)):
        return value
    if any(isinstance(name, (list, dict)) for name in columns):
        return value
    import pandas  # type: ignore[import-untyped]  # Debian ships it without stubs

    frame = pandas.DataFrame(rows, columns=columns)
    if isinstance(index, list) and len(index) == len(frame):
        frame.index = _index(index, names if isinstance(names, list) else None)
    return frame


def _are_rows(rows: object, width: int) -> bool:
    return isinstance(rows, list) and all(isinstance(row, list) and len(row) == width for row in rows)


def _index(values: list[Any], names: list[Any] | None) -> Any:
    import pandas

    if values and all(isinstance(value, list) for value in values):
        return pandas.MultiIndex.from_tuples([tuple(value) for value in values], names=names)
    return pandas.Index(values, name=names[0] if names else None)
