"""What a replication needs of the past: the saved script, its policy's rules and the bundle, checked.

The script's file is hostile: whoever can write it writes its header, too, and the
hash in it. So the header gives nothing that decides how the code is vetted. Its
form is exact, and what it says of policy and bundle is compared with what the
caller gives, which is a check against a mistake.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path

from hotcell_guard.speaking import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

__all__ = ["LARGE", "Bundle", "ReplicaError", "Rules", "Script", "decode", "read"]

LARGE: Final = 64 << 20
"""Bytes of report, inputs and the like: the largest that the protocol knows."""

_RULES_BYTES: Final = 1 << 20
_RULES_VERSION: Final = 1

_LINES: Final = (b"# -*- coding: utf-8 -*-", b"# Recorded by Hotcell. The code begins below the line of equals signs.")
_MARK: Final = b"# " + b"=" * 76
_HASH: Final = "[0-9a-f]{64}"
_HEADER: Final = {
    "run": r"[0-9]+-[0-9a-f]+",
    "started": r"[0-9TZ:-]+",
    "status": r"[a-z_]+",
    "script": r"[^/]+",
    "policy": rf"(?P<policy>[^,]+), sha256 (?P<policy_sha256>{_HASH})",
    "image": r"[^ ]*",
    "bundle": rf"(sha256:{_HASH})?",
    "DataFrames": r".+",
    "code": rf"sha256 (?P<code_sha256>{_HASH})",
}
"""The fields in the order in which the host writes them, each once, with their form."""

_TABLES: Final = ".tables/index.json"
"""What the store says of the tables that it has prepared."""


class ReplicaError(Exception):
    """The run cannot be replicated from what was given; the message says what to give instead."""


class Script:
    """A saved ``run_<time>_<id>.py``: its header's fields, and the code as it ran."""

    def __init__(self, path: Path) -> None:
        head, mark, self.code = read(path).partition(b"\n" + _MARK + b"\n")
        fault = f"{path} is not the saved code of a run: give a run_<time>_<id>.py of a record"
        if not mark:
            raise ReplicaError(fault)
        try:
            self.fields = _fields(head)
        except ValueError as error:
            raise ReplicaError(f"{fault} ({error})") from error
        if self.fields["code_sha256"] != hashlib.sha256(self.code).hexdigest():
            raise ReplicaError(f"the code in {path} is not what ran: it was changed after it was saved")

    @property
    def name(self) -> str:
        """The script's name, as the run's tracebacks show it."""
        return self.fields["script"]

    @property
    def bundle(self) -> str:
        """Digest of the bundle that the run had, "" for none."""
        return self.fields["bundle"]


def _fields(head: bytes) -> dict[str, str]:
    """Return the header's fields and the parts of them that have a name.

    Raises ValueError when a line is missing, twice, elsewhere, or not the host's.
    """
    lines = head.split(b"\n")
    if tuple(lines[: len(_LINES)]) != _LINES:
        raise ValueError("it does not begin with the two lines of a header")
    lines = lines[len(_LINES) :]
    if len(lines) != len(_HEADER):
        raise ValueError(f"its header has {len(lines)} fields, not {len(_HEADER)}")
    fields: dict[str, str] = {}
    for line, (name, form) in zip(lines, _HEADER.items(), strict=True):
        text = line.decode("ascii", "replace")
        found = re.fullmatch(f"# {name}: (?P<value>{form})", text)
        if not found or not text.isprintable() or not text.isascii():
            raise ValueError(f"where its header has {name!r} should be what the host writes there")
        fields[name] = found["value"]
        fields |= {part: value for part, value in found.groupdict().items() if part != "value"}
    return fields


class Rules:
    """The guard's rules of one policy, as ``runner policy show NAME --guard-rules`` prints them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        value = decode(read(path, _RULES_BYTES), str(path))
        shape = {"version", "policy", "policy_sha256", "rules"}
        if not isinstance(value, dict) or value.keys() != shape or value["version"] != _RULES_VERSION:
            raise ReplicaError(
                f"{path} does not hold a policy's rules: give what runner policy show NAME --guard-rules prints"
            )
        self.policy = value["policy"]
        self.sha256 = value["policy_sha256"]
        self.value = value["rules"]
        if not isinstance(self.value, dict) or "unguarded" in self.value:
            raise ReplicaError(f"{path} asks for no guard, and without a container the guard is all there is")

    def check(self, script: Script) -> None:
        """Refuse rules that are not those of the policy that the script's header names."""
        given = (self.policy, self.sha256)
        ran = (script.fields["policy"], script.fields["policy_sha256"])
        if given != ran:
            raise ReplicaError(
                f"{self._path} has the rules of policy {given[0]}, sha256 {given[1]}; "
                f"the run had {ran[0]}, sha256 {ran[1]}"
            )


class Bundle:
    """A bundle's directory, whose manifest and files are what they were."""

    def __init__(self, directory: Path, digest: str) -> None:
        self.directory = directory.resolve()
        data = read(self.directory / "bundle.json")
        found = f"sha256:{hashlib.sha256(data).hexdigest()}"
        if found != digest:
            raise ReplicaError(f"{directory} is the bundle {found}, and the run had {digest or 'none'}")
        manifest: Any = decode(data, "bundle.json")
        entries = _entries(manifest, "files", ("path", "sha256"), "bundle.json")
        for entry in entries:
            self._check(entry)
        self.tables: list[dict[str, str]] = []
        if any(entry.get("table") for entry in entries):
            self.tables = [{"name": entry["table"], "path": entry["path"]} for entry in self._prepared()]

    def _prepared(self) -> list[dict[str, Any]]:
        """Return what the store has made of the tables, once it is checked."""
        if not (self.directory / _TABLES).exists():
            raise ReplicaError(
                f"{self.directory} has no prepared tables: give the store's copy, whose path runner bundle ls --json has"
            )
        entries = _entries(decode(read(self.directory / _TABLES), _TABLES), "tables", ("table", "path", "sha256"), _TABLES)
        for entry in entries:
            self._check(entry)
        return entries

    def _check(self, entry: dict[str, Any]) -> None:
        path = entry["path"]
        if "\0" in path or path.startswith("/") or {"", ".", ".."} & set(path.split("/")):
            raise ReplicaError(f"bundle.json names {path!r}, which is not a path below the bundle")
        file = self.directory / path
        if file.resolve() != file:
            raise ReplicaError(f"{path} of the bundle is behind a symbolic link: a bundle has none")
        with open(_open(file), "rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != entry["sha256"]:
                hint = "it was changed"
                if entry.get("encoding"):
                    hint += ", or not yet decoded: give the store's copy, whose path runner bundle ls --json has"
                raise ReplicaError(f"{path} of the bundle is not what bundle.json says: {hint}")


def _entries(value: Any, name: str, texts: tuple[str, ...], where: str) -> list[dict[str, Any]]:
    entries = value.get(name) if isinstance(value, dict) else None
    for entry in entries if isinstance(entries, list) else [None]:
        if not isinstance(entry, dict) or not all(isinstance(entry.get(text), str) for text in texts):
            raise ReplicaError(f"{where} does not list the bundle's files: give the directory of a bundle")
    return list(entries or [])


def decode(data: bytes, what: str) -> object:
    """Decode JSON that what names in the error."""
    try:
        return _json.decode(data)
    except (ValueError, RecursionError) as error:
        raise ReplicaError(f"{what} is not valid JSON: {error}") from error


def read(path: Path, most: int = LARGE) -> bytes:
    """Return the content of a regular file of at most so many bytes."""
    with open(_open(path), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ReplicaError(f"{path} has more than {most} bytes")
    return data


def _open(path: Path) -> int:
    """Open a regular file that is no symbolic link, without waiting for a pipe's other end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        raise ReplicaError(f"{path} cannot be read: {os.strerror(error.errno or 0)}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ReplicaError(f"{path} is not a regular file")
    return descriptor
