"""Load a typed configuration from INI, JSON and TOML text."""
import configparser
import json
import tomllib
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class Database:
    host: str = "localhost"
    port: int = 5432
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Config:
    name: str
    debug: bool = False
    ratio: float = 0.5
    database: Database = field(default_factory=Database)


def convert(kind: Any, value: Any) -> Any:
    if is_dataclass(kind):
        return load(kind, value)
    if get_origin(kind) is list:
        (inner,) = get_args(kind)
        items = value.split(",") if isinstance(value, str) else value
        return [convert(inner, v.strip() if isinstance(v, str) else v) for v in items]
    if kind is bool and isinstance(value, str):
        return value.lower() in {"1", "true", "yes", "on"}
    return kind(value)


def load(cls, raw: dict) -> Any:
    hints = get_type_hints(cls)
    known = {f.name for f in fields(cls)}
    unknown = set(raw) - known
    if unknown:
        raise KeyError(f"unknown keys: {sorted(unknown)}")
    return cls(**{k: convert(hints[k], v) for k, v in raw.items()})


INI = """
[main]
name = demo
debug = yes
ratio = 0.25

[database]
host = db.example.org
port = 6000
tags = a, b , c
"""
TOML = """
name = "demo"
debug = true
[database]
port = 7000
tags = ["x", "y"]
"""

parser = configparser.ConfigParser()
parser.read_string(INI)
raw = dict(parser["main"])
raw["database"] = dict(parser["database"])
from_ini = load(Config, raw)
from_toml = load(Config, tomllib.loads(TOML))
from_json = load(Config, json.loads('{"name": "j", "ratio": 1}'))
for config in (from_ini, from_toml, from_json):
    print(config)
print(json.dumps(asdict(from_ini), indent=2, sort_keys=True))
print(replace(from_ini, name="other").name)
try:
    load(Config, {"nam": "x"})
except KeyError as exc:
    print("refused:", exc)
try:
    from_ini.name = "changed"
except AttributeError as exc:
    print(type(exc).__name__, exc)
