from __future__ import annotations
import json, sys, inspect
from dataclasses import dataclass, field, asdict, astuple, make_dataclass, KW_ONLY, InitVar
from pathlib import Path
@dataclass
class Base:
    _: KW_ONLY
    id: int | None = None
    raw: InitVar[str | None] = None
    def __post_init__(self, raw):
        if raw is not None: self.__dict__.update(json.loads(raw))
    @classmethod
    def table(cls) -> str: return cls.__name__.lower() + "s"
@dataclass
class Boat(Base):
    name: str
    crew: list[str] = field(default_factory=list, compare=False, metadata={"max": 4})
    length: float = 7.5
@dataclass(slots=True, eq=True, unsafe_hash=True)
class Berth(Base):
    number: int = 0
class Store:
    def __init__(self, path): self.path, self.rows = Path(path), {}
    def add(self, *objs):
        for o in objs:
            t = self.rows.setdefault(type(o).table(), {}); o.id = o.id or len(t) + 1; t[o.id] = o
        return self
    def where(self, cls, **kw): return [o for o in self.rows.get(cls.table(), {}).values() if all(getattr(o, k) == v for k, v in kw.items())]
    def save(self): self.path.write_text(json.dumps({t: [asdict(o) for o in d.values()] for t, d in self.rows.items()}, indent=1))
    def load(self):
        classes = {c.table(): c for _, c in inspect.getmembers(sys.modules[__name__], inspect.isclass) if issubclass(c, Base)}
        new = Store(self.path)
        for t, rows in json.loads(self.path.read_text()).items(): new.add(*(classes[t](**r) for r in rows))
        return new
st = Store("store.json").add(Boat("Tern", ["Ida"]), Boat("Skua", length=9.0), Berth(number=4)); st.save(); back = st.load()
print(back.where(Boat, length=9.0), back.where(Berth), Boat("x", raw='{"length": 3}').length, Boat("a", ["q"]) == Boat("a"))
P = make_dataclass("P", [("x", int), ("y", int, field(default=2))], namespace={"sum": lambda self: self.x + self.y}); print(P(3), P(3).sum(), astuple(P(1)), Boat.__dataclass_fields__["crew"].metadata["max"], Boat.__match_args__)
try: Berth(3)
except TypeError as e: print(e)
try: Berth(number=1).extra = 2
except AttributeError as e: print(type(e).__name__)
