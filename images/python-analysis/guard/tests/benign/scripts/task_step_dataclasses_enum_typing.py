from dataclasses import dataclass, field
from enum import Enum
from typing import List, Optional, Dict, Any, Tuple, Union
from abc import ABC, abstractmethod
class Kind(Enum):
    A = 1
    B = 2
@dataclass(order=True)
class Task:
    priority: int
    name: str = field(compare=False)
    tags: List[str] = field(default_factory=list, compare=False)
    kind: Kind = Kind.A
    def done(self) -> Optional[str]:
        return self.name if self.priority > 1 else None
class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...
    def describe(self): return f"{type(self).__name__} {self.area():.1f}"
class Sq(Shape):
    def __init__(self, s: float): self.s = s
    def area(self): return self.s ** 2
tasks: Dict[str, Task] = {"x": Task(2, "x"), "y": Task(1, "y", ["t"])}
print(min(tasks.values()), Kind(2), Kind["A"].name, [k.value for k in Kind], tasks["x"].done(), Sq(2).describe())
def f(a: int, b: Union[int, str] = 3, *args: Any, c: Tuple[int, ...] = (), **kw) -> Dict: return {"a": a, "b": b, "args": args, "c": c, "kw": kw}
print(f(1, *[2, 3], **{"c": (1,), "z": 0}), f.__name__)
try: Shape()
except TypeError as e: print("abstract")
