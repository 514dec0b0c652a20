from dataclasses import asdict, astuple, dataclass, field, fields, replace
from typing import ClassVar, List
import json


@dataclass(order=True)
class Item:
    sort_index: float = field(init=False, repr=False)
    name: str
    price: float
    quantity: int = 1
    tags: List[str] = field(default_factory=list, compare=False)
    count: ClassVar[int] = 0

    def __post_init__(self):
        if self.price < 0:
            raise ValueError("price must not be negative")
        self.sort_index = self.price * self.quantity
        Item.count += 1

    @property
    def total(self) -> float:
        return self.price * self.quantity


@dataclass(frozen=True, slots=True)
class Coordinates:
    lat: float
    lon: float = 0.0


@dataclass
class Inventory:
    items: List[Item] = field(default_factory=list)

    def add(self, *items: Item) -> "Inventory":
        self.items.extend(items)
        return self

    def __len__(self):
        return len(self.items)

    def total(self):
        return sum(i.total for i in self.items)


inv = Inventory().add(Item("bolt", 0.1, 500, ["metal"]), Item("lamp", 12.5, 3), Item("rope", 4.0, 10))
print(inv.total(), len(inv), [i.name for i in sorted(inv.items)], Item.count)
print(json.dumps(asdict(inv.items[0])), astuple(Coordinates(1, 2)), [f.name for f in fields(Coordinates)])
print(replace(inv.items[1], quantity=10).total, inv.items[1] == inv.items[1], Coordinates(1, 2) in {Coordinates(1, 2)})
try:
    Coordinates(1, 2).lat = 5
except AttributeError as e:
    print(type(e).__name__, e)
try:
    Item("bad", -1)
except ValueError as e:
    print("ValueError:", e)
print(inv.items[2])
