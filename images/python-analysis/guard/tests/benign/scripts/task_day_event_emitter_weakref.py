import weakref
import gc
import sys
import copy
from typing import Any, Callable


class Emitter:
    def __init__(self) -> None:
        self._handlers: dict[str, list[Callable]] = {}

    def on(self, event: str, handler: Callable | None = None):
        def register(func):
            self._handlers.setdefault(event, []).append(func)
            return func
        return register if handler is None else register(handler)

    def once(self, event, handler):
        def wrapper(*args, **kwargs):
            self.off(event, wrapper)
            return handler(*args, **kwargs)
        self.on(event, wrapper)

    def off(self, event, handler):
        self._handlers[event].remove(handler)

    def emit(self, event, *args: Any, **kwargs: Any) -> int:
        handlers = list(self._handlers.get(event, ()))
        for handler in handlers:
            handler(*args, **kwargs)
        return len(handlers)


class Node:
    count = 0

    def __init__(self, name, parent=None):
        self.name = name
        self.parent = weakref.ref(parent) if parent else None
        self.children = []
        if parent:
            parent.children.append(self)
        type(self).count += 1

    def __del__(self):
        type(self).count -= 1

    def path(self):
        parent = self.parent() if self.parent else None
        return f"{parent.path()}/{self.name}" if parent else self.name

    def __deepcopy__(self, memo):
        clone = Node(copy.copy(self.name))
        clone.children = [copy.deepcopy(c, memo) for c in self.children]
        return clone


emitter = Emitter()
seen = []


@emitter.on("save")
def saved(name, size=0):
    seen.append((name, size))


emitter.once("save", lambda name, **kw: seen.append(f"first {name}"))
print(emitter.emit("save", "a.txt", size=3), emitter.emit("save", "b.txt"), emitter.emit("nothing"))
print(seen, saved.__name__)
root = Node("root")
leaf = Node("leaf", Node("branch", root))
print(leaf.path(), Node.count)
twin = copy.deepcopy(root)
print(twin is not root, len(twin.children), Node.count)
del root, leaf, twin
gc.collect()
print(Node.count)
cache = weakref.WeakValueDictionary()
node = Node("x")
cache["x"] = node
print("x" in cache)
del node
gc.collect()
print("x" in cache, sys.getsizeof([]) > 0)
shallow = copy.copy(original := {"a": [1]})
deep = copy.deepcopy(original)
original["a"].append(2)
print(shallow, deep, id(shallow["a"]) == id(original["a"]))
