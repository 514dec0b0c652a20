from __future__ import annotations
import json
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path


@dataclass
class Todo:
    title: str
    due: date | None = None
    done: bool = False
    tags: list[str] = field(default_factory=list)

    @classmethod
    def parse(cls, line: str) -> Todo:
        words = line.split()
        tags = [w[1:] for w in words if w.startswith("#")]
        due = next((date.fromisoformat(w[1:]) for w in words if w.startswith("@")), None)
        return cls(" ".join(w for w in words if w[0] not in "#@"), due, tags=tags)

    def __str__(self):
        mark = "x" if self.done else " "
        return f"[{mark}] {self.title}" + (f" (due {self.due})" if self.due else "") + "".join(f" #{t}" for t in self.tags)


class TodoList:
    def __init__(self, file: Path):
        self.file = file
        self.items: list[Todo] = []

    def add(self, line):
        self.items.append(Todo.parse(line))
        return self

    def overdue(self, today):
        return [t for t in self.items if t.due and t.due < today and not t.done]

    def save(self):
        self.file.write_text(json.dumps([asdict(t) for t in self.items], default=str, indent=1))

    def load(self):
        raw = json.loads(self.file.read_text())
        self.items = [Todo(**{**r, "due": r["due"] and date.fromisoformat(r["due"])}) for r in raw]
        return self


todos = TodoList(Path("todo.json"))
todos.add("Buy milk #home @2024-03-01").add("Write report #work #urgent @2024-04-15").add("Relax")
todos.items[0].done = True
todos.save()
again = TodoList(Path("todo.json")).load()
print(*again.items, sep="\n")
print(again.items == todos.items, [t.title for t in again.overdue(date(2024, 5, 1))])
