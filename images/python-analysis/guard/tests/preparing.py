"""Prepared tables for tests, written as the host's internal/table/prepared says it."""

from __future__ import annotations

import csv
import json
import math
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MAGIC = b"HCTABLE\n"

Values = Sequence[Any]


class Pieces:
    """What of a file there is."""

    def __init__(self) -> None:
        self.data = bytearray(MAGIC + (1).to_bytes(8, "little"))

    def put(self, payload: bytes, align: int = 64) -> dict[str, int]:
        self.data += bytes(-len(self.data) % align)
        at = len(self.data)
        self.data += payload
        return {"offset": at, "bytes": len(payload)}

    def texts(self, texts: Sequence[str], separator: int = 31) -> dict[str, Any]:
        if not texts:
            return {"separator": separator, "parts": []}
        place = self.put(chr(separator).join(texts).encode())
        return {"separator": separator, "parts": [place | {"texts": len(texts)}]}

    def end(self, index: object) -> bytes:
        payload = json.dumps(index).encode()
        payload += b" " * (-len(payload) % 8)
        at = self.put(payload)["offset"]
        return bytes(self.data + struct.pack("<QQ", at, len(payload)) + MAGIC)


def encoded(columns: Mapping[str, Values]) -> bytes:
    """Return the file of some columns: of int, of float with None, of bool, of str with None, of dict and list."""
    pieces = Pieces()
    rows = len(next(iter(columns.values())))
    described: list[dict[str, Any]] = []
    blocks: dict[str, list[int]] = {}
    for at, (name, values) in enumerate(columns.items()):
        dtype = _dtype(values)
        if dtype:
            blocks.setdefault(dtype, []).append(at)
        described.append({"name": name} | ({"layout": "block"} if dtype else _by_rows(pieces, values)))
    placed = []
    names = list(columns)
    for dtype, held in blocks.items():
        kind = {"int64": "q", "float64": "d", "bool": "?"}[dtype]
        cells = [math.nan if cell is None else cell for at in held for cell in columns[names[at]]]
        placed.append({"dtype": dtype, "columns": held, "values": pieces.put(struct.pack(f"<{len(cells)}{kind}", *cells), 4096)})
    return pieces.end({"rows": rows, "blocks": placed, "columns": described})


def _dtype(values: Values) -> str:
    kinds = {type(value) for value in values}
    if kinds == {int}:
        return "int64"
    if kinds == {bool}:
        return "bool"
    return "float64" if kinds and kinds <= {int, float, type(None)} else ""


def _by_rows(pieces: Pieces, values: Values) -> dict[str, Any]:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {str}:
        found = {"layout": "text", "texts": pieces.texts([value or "" for value in values])}
    else:
        found = {"layout": "json", "texts": pieces.texts([json.dumps(value) for value in values], 10)}
    if None in values:
        found["mask"] = pieces.put(bytes(value is None for value in values))
    return found


def write(bundle: Path, name: str, columns: Mapping[str, Values]) -> dict[str, str]:
    """Put a table into a bundle, and return what a start frame says of it."""
    path = f".tables/{name}.table"
    (bundle / path).parent.mkdir(exist_ok=True)
    (bundle / path).write_bytes(encoded(columns))
    return {"name": name, "path": path}


def of_csv(bundle: Path, file: str) -> dict[str, str]:
    """Prepare a file of the bundle whose cells are numbers or words."""
    with open(bundle / file, encoding="utf-8", newline="") as source:
        names, *rows = csv.reader(source)
    columns = {name: [_cell(row[at]) for row in rows] for at, name in enumerate(names)}
    return write(bundle, Path(file).stem, columns)


def _cell(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None
