"""What a replication needs of the past: the saved script and the bundle, checked."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from hotcell_guard import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["Bundle", "ReplicaError", "Script"]

_MARK: Final = b"\n# " + b"=" * 76 + b"\n"
_FIELD: Final = re.compile(r"# ([A-Za-z ]+): (.*)\Z")
_FORMATS: Final = {
    "text/csv": "csv",
    "application/x-ndjson": "jsonl",
    "application/vnd.apache.parquet": "parquet",
}


class ReplicaError(Exception):
    """The run cannot be replicated from what was given; the message says what to give instead."""


class Script:
    """A saved ``run_<time>_<id>.py``: its header's fields, and the code as it ran."""

    def __init__(self, path: Path) -> None:
        head, mark, self.code = _read(path).partition(_MARK)
        self.fields = dict(_fields(head.decode("utf-8", "replace")))
        if not mark or "code" not in self.fields:
            raise ReplicaError(f"{path} is not the saved code of a run: give a run_<time>_<id>.py of a record")
        if self.fields["code"] != f"sha256 {hashlib.sha256(self.code).hexdigest()}":
            raise ReplicaError(f"the code in {path} is not what ran: it was changed after it was saved")

    @property
    def name(self) -> str:
        """The script's name, as the run's tracebacks show it."""
        return self.fields.get("script") or "script.py"

    @property
    def bundle(self) -> str:
        """Digest of the bundle that the run had, "" for none."""
        return self.fields.get("bundle", "")

    def rules(self) -> object | None:
        """Return the guard's rules that the header holds, or None."""
        text = self.fields.get("rules")
        return None if text is None else decode(text.encode(), "the header's rules")


def _fields(head: str) -> list[tuple[str, str]]:
    return [found.groups() for found in map(_FIELD.match, head.splitlines()[2:]) if found]  # type: ignore[misc]


class Bundle:
    """A bundle's directory, whose manifest and files are what they were."""

    def __init__(self, directory: Path, digest: str) -> None:
        self.directory = directory.resolve()
        data = _read(self.directory / "bundle.json")
        found = f"sha256:{hashlib.sha256(data).hexdigest()}"
        if digest and found != digest:
            raise ReplicaError(f"{directory} is the bundle {found}, and the run had {digest}")
        manifest: Any = decode(data, "bundle.json")
        self.tables = []
        for entry in _entries(manifest):
            self._check(entry)
            kind = _FORMATS.get(entry["media_type"])
            if entry.get("table") and kind:
                self.tables.append({"name": entry["table"], "path": entry["path"], "format": kind})

    def _check(self, entry: dict[str, Any]) -> None:
        path = entry["path"]
        if path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
            raise ReplicaError(f"bundle.json names {path!r}, which is not a path below the bundle")
        with open(self.directory / path, "rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != entry["sha256"]:
                raise ReplicaError(f"{path} of the bundle is not what bundle.json says: it was changed")


def _entries(manifest: Any) -> list[dict[str, Any]]:
    entries = manifest.get("files") if isinstance(manifest, dict) else None
    for entry in entries if isinstance(entries, list) else [None]:
        texts = ("path", "sha256", "media_type")
        if not isinstance(entry, dict) or not all(isinstance(entry.get(text), str) for text in texts):
            raise ReplicaError("bundle.json does not list the bundle's files: give the directory of a bundle")
    return list(entries or [])


def decode(data: bytes, what: str) -> object:
    """Decode JSON that what names in the error."""
    try:
        return _json.decode(data)
    except (ValueError, RecursionError) as error:
        raise ReplicaError(f"{what} is not valid JSON: {error}") from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ReplicaError(f"{path} cannot be read: {os.strerror(error.errno or 0)}") from error
