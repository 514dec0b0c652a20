"""The start frame: strict JSON, exact names, exact types."""

from __future__ import annotations

import json
import keyword
import re

from hotcell_guard import _rules
from hotcell_guard._protocol import PROTOCOL, ProtocolFault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["Start", "Table", "decode"]

_MAX_REPORT: Final = 64 << 20
_DOTTED: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
_FORMATS: Final = frozenset(("csv", "jsonl", "parquet"))

_START: Final[Mapping[str, type]] = {
    "protocol": int,
    "run_id": str,
    "script_name": str,
    "bundle_dir": str,
    "output_dir": str,
    "tables": list,
    "rules": dict,
    "limits": dict,
}
_TABLE: Final[Mapping[str, type]] = {"name": str, "path": str, "format": str}
_RULES: Final[Mapping[str, type]] = {
    "imports": list,
    "denied_builtins": list,
    "denied_attributes": list,
    "max_figures": int,
}
_LIMITS: Final[Mapping[str, type]] = {
    "code_bytes": int,
    "stdout_bytes": int,
    "stderr_bytes": int,
    "report_bytes": int,
}


class Table:
    """One file of the bundle that becomes a DataFrame called name."""

    __slots__ = ("format", "name", "path")

    def __init__(self, fields: dict[str, str]) -> None:
        self.name = fields["name"]
        self.path = fields["path"]
        self.format = fields["format"]


class Start:
    """What the host asks for. Sizes are in bytes."""

    __slots__ = (
        "bundle_dir",
        "code_bytes",
        "max_figures",
        "output_dir",
        "report_bytes",
        "rules",
        "run_id",
        "script_name",
        "stderr_bytes",
        "stdout_bytes",
        "tables",
    )

    def __init__(self, fields: dict[str, object]) -> None:
        rules = _fields(fields["rules"], _RULES, "rules")
        limits = _fields(fields["limits"], _LIMITS, "limits")
        self.run_id = str(fields["run_id"])
        self.script_name = _script_name(str(fields["script_name"]))
        self.bundle_dir = _directory(str(fields["bundle_dir"]), "bundle_dir", optional=True)
        self.output_dir = _directory(str(fields["output_dir"]), "output_dir", optional=False)
        self.tables = _tables(fields["tables"])
        self.max_figures = _number(rules["max_figures"], "rules.max_figures", lowest=0)
        self.rules = _rules.Rules(
            imports=frozenset(_names(rules["imports"], "rules.imports")),
            builtins=frozenset(_names(rules["denied_builtins"], "rules.denied_builtins")),
            attributes=frozenset(_names(rules["denied_attributes"], "rules.denied_attributes")),
        )
        self.code_bytes = _number(limits["code_bytes"], "limits.code_bytes")
        self.stdout_bytes = _number(limits["stdout_bytes"], "limits.stdout_bytes")
        self.stderr_bytes = _number(limits["stderr_bytes"], "limits.stderr_bytes")
        self.report_bytes = _number(limits["report_bytes"], "limits.report_bytes", highest=_MAX_REPORT)
        if self.tables and not self.bundle_dir:
            raise ProtocolFault("start names tables but no bundle_dir")


def decode(payload: bytes) -> Start:
    """Decode the start frame. Raises ProtocolFault on any deviation."""
    try:
        text = payload.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_refuse)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate fails here
    except (ValueError, RecursionError) as error:
        raise ProtocolFault(f"start is not valid JSON: {type(error).__name__}") from error
    fields = _fields(value, _START, "start")
    if fields["protocol"] != PROTOCOL:
        raise ProtocolFault(f"start has protocol {fields['protocol']}, this guard speaks {PROTOCOL}")
    return Start(fields)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("duplicate name")
    return fields


def _refuse(text: str) -> object:
    raise ValueError(f"number {text} is not an integer")


def _fields(value: object, shape: Mapping[str, type], where: str) -> dict[str, object]:
    """Check names and types. A null list is an empty one: Go encodes nil slices so."""
    if not isinstance(value, dict):
        raise ProtocolFault(f"{where} is not an object")
    if value.keys() != shape.keys():
        raise ProtocolFault(f"{where} has unknown or missing names: {sorted(value.keys() ^ shape.keys())}")
    fields = {}
    for name, kind in shape.items():
        field = [] if value[name] is None and kind is list else value[name]
        if type(field) is not kind:
            raise ProtocolFault(f"{where}.{name} is not of type {kind.__name__}")
        fields[name] = field
    return fields


def _number(value: object, where: str, lowest: int = 1, highest: int = 1 << 62) -> int:
    if not isinstance(value, int) or not lowest <= value <= highest:
        raise ProtocolFault(f"{where} is not between {lowest} and {highest}")
    return value


def _names(value: object, where: str) -> list[str]:
    names = value if isinstance(value, list) else []
    for name in names:
        if not isinstance(name, str) or not _DOTTED.match(name):
            raise ProtocolFault(f"{where} holds {name!r}, which is not a dotted name")
    return names


def _script_name(name: str) -> str:
    if not name or not name.isprintable():
        raise ProtocolFault("start.script_name is empty or not printable")
    return name


def _directory(path: str, where: str, optional: bool) -> str:
    if optional and path == "":
        return path
    if not path.startswith("/") or not _clean(path[1:]):
        raise ProtocolFault(f"start.{where} is not a clean absolute path")
    return path


def _clean(path: str) -> bool:
    return "\0" not in path and not {"", ".", ".."} & set(path.split("/"))


def _tables(value: object) -> list[Table]:
    entries = value if isinstance(value, list) else []
    tables = [Table({k: str(v) for k, v in _fields(entry, _TABLE, "table").items()}) for entry in entries]
    for table in tables:
        _check_table(table)
    if len({table.name for table in tables}) != len(tables):
        raise ProtocolFault("start.tables has two tables of one name")
    return tables


def _check_table(table: Table) -> None:
    name = table.name
    usable = name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and not name.startswith("_")
    if not usable or name in _rules.RESERVED_NAMES:
        raise ProtocolFault(f"table name {name!r} cannot be a variable of the script")
    if not _clean(table.path):
        raise ProtocolFault(f"path of table {name!r} is not clean and relative")
    if table.format not in _FORMATS:
        raise ProtocolFault(f"table {name!r} has unknown format {table.format!r}")
