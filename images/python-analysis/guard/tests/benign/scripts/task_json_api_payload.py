import json
from dataclasses import dataclass, field, is_dataclass, asdict
from datetime import date, datetime
from decimal import Decimal
from enum import Enum


class Status(str, Enum):
    OPEN = "open"
    CLOSED = "closed"


@dataclass
class Ticket:
    id: int
    title: str
    status: Status = Status.OPEN
    created: datetime = datetime(2024, 5, 1, 12, 0)
    cost: Decimal = Decimal("0")
    labels: set = field(default_factory=set)


class Encoder(json.JSONEncoder):
    def default(self, o):
        if is_dataclass(o):
            return asdict(o)
        if isinstance(o, (date, datetime)):
            return o.isoformat()
        if isinstance(o, Decimal):
            return str(o)
        if isinstance(o, (set, frozenset)):
            return sorted(o)
        return super().default(o)


def hook(d):
    if "created" in d:
        d["created"] = datetime.fromisoformat(d["created"])
    if "status" in d:
        d["status"] = Status(d["status"])
    return d


tickets = [Ticket(1, "Fix login", labels={"bug", "auth"}, cost=Decimal("12.50")), Ticket(2, "Docs", Status.CLOSED)]
text = json.dumps(tickets, cls=Encoder, indent=2)
print(text)
back = json.loads(text, object_hook=hook, parse_float=Decimal)
print(back[0]["created"].year, back[1]["status"] is Status.CLOSED, json.dumps(back, default=str)[:50])
print(json.dumps({"b": 1, "a": [1, 2.5, None, True]}, sort_keys=True, separators=(",", ":")), json.dumps("é"), json.dumps(float("nan")))
try:
    json.dumps({1, 2})
except TypeError as e:
    print("TypeError:", e)
lines = "\n".join(json.dumps({"n": i}) for i in range(3))
print([json.loads(line)["n"] for line in lines.splitlines()])
