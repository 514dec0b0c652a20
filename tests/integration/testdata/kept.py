"""Writes every number and text that the modules of this process keep, by the path to it.

Two forks of one template and one of another are compared: what is the same in the two and
another in the third was seeded, or noted, when something was imported.
"""

import gc
import sys
import types
from collections import deque

PLAIN = (int, float, complex, str, bytes, bool, type(None))
SHORTEST = 6  # of what is written: smaller numbers tell nothing


def children(owner):
    kind = type(owner)
    if issubclass(kind, dict):
        return [(repr(key) if type(key) in PLAIN else type(key).__name__, value) for key, value in dict.items(owner)]
    if issubclass(kind, (list, tuple, deque)):
        return list(enumerate(owner))
    if issubclass(kind, (set, frozenset)):  # what is no plain value comes in no order
        return [("{}", value) for value in owner if type(value) in PLAIN]
    if issubclass(kind, type):
        return list(type.__dict__["__dict__"].__get__(owner).items())
    if kind is types.FunctionType:
        return [(name, getattr(owner, name)) for name in ("__defaults__", "__kwdefaults__", "__dict__", "__closure__")]
    if kind is types.MethodType:
        return [("__self__", owner.__self__)]
    if kind in (types.CodeType, types.ModuleType, types.FrameType):
        return []
    return [*attributes(owner), *native(owner)]


def attributes(owner):
    try:
        yield "__dict__", object.__getattribute__(owner, "__dict__")
    except AttributeError:
        pass
    for kind in type(owner).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                yield name, object.__getattribute__(owner, name)
            except AttributeError:
                pass


def native(owner):
    """What compiled code holds for the object: a generator its seeds, a cell its value."""
    for number, held in enumerate(gc.get_referents(owner)):
        if not isinstance(held, (dict, type)):
            yield f"held {number}", held


def text(value):
    if isinstance(value, (bytes, str, int, float)) and type(value) not in PLAIN:
        return type(value).__name__ + next(kind for kind in (bytes, str, int, float) if isinstance(value, kind)).__repr__(value)
    return repr(value)


def main():
    modules = {name: module for name, module in sorted(sys.modules.items()) if isinstance(module, types.ModuleType)}
    del modules["__main__"]
    seen = {id(each): each for each in (sys.modules, *modules.values())}  # keeps them: an id is used again
    todo = deque((name, vars(module)) for name, module in modules.items())
    written = 0
    with open(OUTPUT / "kept.txt", "w") as out:
        while todo:
            path, owner = todo.popleft()
            found = children(owner)
            seen[id(found)] = found
            for name, value in found:
                below = f"{path}/{name}".replace("\n", " ").replace("\t", " ")[:300]
                if isinstance(value, (int, float, bytes, str)):
                    said = text(value)
                    if len(said) >= SHORTEST:
                        out.write(f"{below}\t{said[:100]}\n")
                        written += 1
                elif type(value) not in PLAIN and id(value) not in seen:
                    seen[id(value)] = value
                    todo.append((below, value))
    print(written)


main()
