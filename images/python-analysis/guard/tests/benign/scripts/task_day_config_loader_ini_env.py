import configparser
import os
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import get_type_hints

INI = """
[server]
host = 0.0.0.0
port = 8081
debug = yes

[limits]
timeout = 2.5
paths = /a, /b
"""


@dataclass
class Settings:
    host: str = "localhost"
    port: int = 80
    debug: bool = False
    timeout: float = 1.0

    @classmethod
    def load(cls, parser, env=os.environ):
        hints = get_type_hints(cls)
        values = {}
        for section in parser.sections():
            for key, raw in parser[section].items():
                kind = hints.get(key)
                if kind is None:
                    continue
                values[key] = parser.getboolean(section, key) if kind is bool else kind(raw)
        for f in fields(cls):
            name = f"APP_{f.name.upper()}"
            if name in env:
                values[f.name] = hints[f.name](env[name])
        return cls(**values)


path = Path("app.ini")
path.write_text(INI)
parser = configparser.ConfigParser()
read = parser.read([str(path), "missing.ini"])
print(read, parser.sections(), parser.get("limits", "none", fallback="-"))
settings = Settings.load(parser)
print(settings)
os.environ["APP_PORT"] = "9000"
print(Settings.load(parser).port, os.getenv("APP_NOTHING", "unset"))
print([p.strip() for p in parser["limits"]["paths"].split(",")])
parser["server"]["host"] = "example"
parser.add_section("new")
parser.set("new", "x", "1")
with open("out.ini", "w") as fh:
    parser.write(fh)
print(Path("out.ini").read_text().splitlines()[0], json.dumps({s: dict(parser[s]) for s in parser.sections()})[:40])
try:
    parser.get("nope", "x")
except configparser.NoSectionError as e:
    print(e)
