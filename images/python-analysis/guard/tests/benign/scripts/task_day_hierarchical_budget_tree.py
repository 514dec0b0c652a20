from __future__ import annotations
from dataclasses import dataclass, field
from typing import Iterator, Optional
import json
import pprint
import reprlib


@dataclass
class BudgetNode:
    name: str
    amount: float = 0.0
    children: list[BudgetNode] = field(default_factory=list)
    parent: Optional[BudgetNode] = field(default=None, repr=False, compare=False)

    def add(self, name: str, amount: float = 0.0) -> BudgetNode:
        child = BudgetNode(name, amount, parent=self)
        self.children.append(child)
        return child

    @property
    def total(self) -> float:
        return self.amount + sum(c.total for c in self.children)

    @property
    def depth(self) -> int:
        return 0 if self.parent is None else self.parent.depth + 1

    def walk(self) -> Iterator[BudgetNode]:
        yield self
        for child in sorted(self.children, key=lambda c: -c.total):
            yield from child.walk()

    def find(self, path: str) -> BudgetNode:
        head, _, rest = path.partition("/")
        for child in self.children:
            if child.name == head:
                return child.find(rest) if rest else child
        raise KeyError(path)

    def to_dict(self):
        d = {"name": self.name, "total": self.total}
        if self.children:
            d["children"] = [c.to_dict() for c in self.children]
        return d

    def __truediv__(self, name):
        return self.find(name)


root = BudgetNode("hospital")
staff = root.add("staff")
staff.add("nurses", 420)
staff.add("doctors", 380.5)
root.add("drugs", 150).add("antibiotics", 60)
for node in root.walk():
    print(f"{'  ' * node.depth}{node.name:<{20 - 2 * node.depth}}{node.total:>10.2f} {node.total / root.total:>6.1%}")
print((root / "staff" / "nurses").amount, root.find("drugs/antibiotics").depth)
try:
    root.find("drugs/vaccines")
except KeyError as e:
    print("KeyError", e)
pprint.pprint(root.to_dict(), width=60)
print(json.dumps(root.to_dict())[:50], reprlib.repr(list(range(100))), repr(root.find("staff/nurses")))
