"""Keep an inventory in a JSON file with an atomic save."""
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from decimal import Decimal
from datetime import date


@dataclass
class Part:
    sku: str
    name: str
    price: Decimal
    quantity: int = 0
    added: date = date(2026, 1, 1)

    def __post_init__(self):
        if self.quantity < 0:
            raise ValueError("quantity must not be negative")

    @property
    def value(self):
        return self.price * self.quantity


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Decimal):
            return {"__decimal__": str(o)}
        if isinstance(o, date):
            return {"__date__": o.isoformat()}
        return super().default(o)


def hook(obj):
    if "__decimal__" in obj:
        return Decimal(obj["__decimal__"])
    if "__date__" in obj:
        return date.fromisoformat(obj["__date__"])
    return obj


class Store:
    def __init__(self, path):
        self.path = path
        self.parts = {}
        if os.path.exists(path):
            with open(path) as f:
                self.parts = {p["sku"]: Part(**p) for p in json.load(f, object_hook=hook)}

    def add(self, part):
        self.parts[part.sku] = part

    def save(self):
        directory = os.path.dirname(os.path.abspath(self.path))
        fd, tmp = tempfile.mkstemp(dir=directory, suffix=".tmp")
        with os.fdopen(fd, "w") as f:
            json.dump([asdict(p) for p in self.parts.values()], f, cls=Encoder, indent=2)
        os.replace(tmp, self.path)


store = Store("inventory.json")
store.add(Part("B-10", "bearing", Decimal("3.40"), 120))
store.add(Part("S-22", "shaft", Decimal("18.99"), 14, date(2026, 3, 9)))
store.save()
again = Store("inventory.json")
print(again.parts["S-22"])
print("total", sum(p.value for p in again.parts.values()))
print(os.path.getsize("inventory.json") > 100, os.listdir("."))
try:
    Part("X", "x", Decimal(1), -1)
except ValueError as e:
    print("refused:", e)
