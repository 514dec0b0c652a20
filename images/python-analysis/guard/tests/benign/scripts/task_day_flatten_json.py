import json
from collections.abc import Mapping, Sequence
from typing import Any, Dict, Generator, Tuple


def flatten(obj: Any, parent: str = "", sep: str = ".") -> Generator[Tuple[str, Any], None, None]:
    """Yield (path, value) pairs for every leaf."""
    if isinstance(obj, Mapping):
        for key, value in obj.items():
            yield from flatten(value, f"{parent}{sep}{key}" if parent else str(key), sep)
    elif isinstance(obj, Sequence) and not isinstance(obj, (str, bytes)):
        for i, value in enumerate(obj):
            yield from flatten(value, f"{parent}[{i}]", sep)
    else:
        yield parent, obj


def unflatten(flat: Dict[str, Any]) -> Dict[str, Any]:
    result: Dict[str, Any] = {}
    for path, value in flat.items():
        node = result
        *parents, leaf = path.replace("[", ".[").split(".")
        for part in parents:
            node = node.setdefault(part, {})
        node[leaf] = value
    return result


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, set):
            return sorted(o)
        if hasattr(o, "isoformat"):
            return o.isoformat()
        return super().default(o)


data = json.loads("""
{"study": {"id": "HX-12", "arms": [{"name": "A", "n": 40}, {"name": "B", "n": 38}]},
 "open": true, "notes": null, "limits": [0.5, 1e3]}
""")
flat = dict(flatten(data))
for k, v in flat.items():
    print(f"{k:<22} {v!r:<8} {type(v).__name__}")
print(json.dumps(unflatten({"a.b": 1, "a.c": 2}), sort_keys=True))
print(json.dumps({"s": {3, 1}, "t": "é"}, cls=Encoder, ensure_ascii=False, separators=(",", ":")))
try:
    json.loads('{"a": 1,}')
except json.JSONDecodeError as e:
    print("JSONDecodeError at", e.lineno, e.colno)
try:
    json.dumps(object())
except TypeError as e:
    print("TypeError:", str(e).split(" of ")[0])
assert dict(flatten(json.loads(json.dumps(data)))) == flat
