"""The bundle's tables become DataFrames before the run's code begins."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotcell_guard.granting._views import Views
    from hotcell_guard.speaking._start import Preload, Table

__all__ = ["ModuleFault", "PreparationFault", "TableFault", "load", "preload"]


class PreparationFault(Exception):
    """What the script is to find cannot be made ready."""


class TableFault(PreparationFault):
    """A table cannot be loaded; the message names it and says why."""


class ModuleFault(PreparationFault):
    """A module that the policy preloads cannot be imported."""


def load(bundle: str, tables: Sequence[Table]) -> dict[str, object]:
    """Load the tables in their order. Imports pandas only if there is one."""
    return {table.name: _load(f"{bundle}/{table.path}", table) for table in tables}


def _load(path: str, table: Table) -> object:
    import pandas  # type: ignore[import-untyped]  # Debian ships it without stubs

    try:
        match table.format:
            case "csv":
                return pandas.read_csv(path)
            case "jsonl":
                return pandas.read_json(path, lines=True)
            case _:
                return pandas.read_parquet(path)
    except (OSError, ValueError, ImportError, MemoryError, RuntimeError) as error:
        # ParserError, EmptyDataError and UnicodeDecodeError are ValueErrors. Their
        # texts may quote data, so that of the exception's class stands for them.
        reason = str(error) if isinstance(error, OSError) else type(error).__name__
        if isinstance(error, ImportError):
            reason = f"this image has no reader for {table.format}"
        raise TableFault(f"table {table.name!r} ({table.path}, {table.format}) cannot be loaded: {reason}") from error


def preload(views: Views, modules: Sequence[Preload]) -> dict[str, object]:
    """Import the modules that the script finds by name, and return their views."""
    return {module.name: _preloaded(views, module) for module in modules}


def _preloaded(views: Views, module: Preload) -> object:
    try:
        return views.load(module.module)
    except ImportError as error:
        reason = f"module {module.module!r}, preloaded as {module.name!r}, cannot be imported in this image"
        raise ModuleFault(reason) from error
