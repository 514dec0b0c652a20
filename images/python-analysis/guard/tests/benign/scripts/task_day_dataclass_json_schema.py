import dataclasses
import enum
import json
import typing
from dataclasses import dataclass, field, fields, is_dataclass, MISSING
from typing import Any, Optional, Union, get_args, get_origin, get_type_hints


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Size:
    width: int
    height: int = 1


@dataclass
class Item:
    name: str
    color: Color = Color.RED
    size: Optional[Size] = None
    tags: list[str] = field(default_factory=list, metadata={"doc": "free text"})
    scores: dict[str, float] = field(default_factory=dict)


PRIMITIVES = {int: "integer", float: "number", str: "string", bool: "boolean"}


def schema(tp: Any) -> dict:
    origin, args = get_origin(tp), get_args(tp)
    if tp in PRIMITIVES:
        return {"type": PRIMITIVES[tp]}
    if origin is list:
        return {"type": "array", "items": schema(args[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema(args[1])}
    if origin is Union:
        return {"anyOf": [schema(a) if a is not type(None) else {"type": "null"} for a in args]}
    if isinstance(tp, type) and issubclass(tp, enum.Enum):
        return {"enum": [m.value for m in tp]}
    if is_dataclass(tp):
        hints = get_type_hints(tp)
        required = [f.name for f in fields(tp) if f.default is MISSING and f.default_factory is MISSING]
        return {"type": "object", "properties": {n: schema(h) for n, h in hints.items()}, "required": required}
    raise TypeError(f"cannot describe {tp!r}")


def load(tp, data):
    origin, args = get_origin(tp), get_args(tp)
    if origin is Union:
        return None if data is None else load(next(a for a in args if a is not type(None)), data)
    if origin is list:
        return [load(args[0], d) for d in data]
    if origin is dict:
        return {k: load(args[1], v) for k, v in data.items()}
    if is_dataclass(tp):
        hints = get_type_hints(tp)
        unknown = data.keys() - hints.keys()
        if unknown:
            raise ValueError(f"unknown fields: {', '.join(sorted(unknown))}")
        return tp(**{k: load(hints[k], v) for k, v in data.items()})
    return tp(data)


def default(o):
    if is_dataclass(o) and not isinstance(o, type):
        return dataclasses.asdict(o)
    if isinstance(o, enum.Enum):
        return o.value
    raise TypeError


print(json.dumps(schema(Item), indent=1)[:120])
item = load(Item, {"name": "box", "color": "blue", "size": {"width": "3"}, "scores": {"a": 1}})
print(item, json.dumps(item, default=default))
for bad in ({"nme": "x"}, {"name": "x", "color": "pink"}, {}):
    try:
        load(Item, bad)
    except (ValueError, TypeError) as e:
        print(type(e).__name__, str(e).replace("Item.", "")[:60])
print({f.name: dict(f.metadata) for f in fields(Item) if f.metadata}, typing.get_type_hints(Size))
Point = dataclasses.make_dataclass("Point", [("x", int), ("y", int, field(default=0))], frozen=True)
print(Point(1), Point.__name__, dataclasses.replace(Point(1), x=5), [m.name for m in Color], Color["RED"].value)
