from dataclasses import dataclass
from enum import Enum, auto
import json


class Cmd(Enum):
    GO = auto()
    STOP = auto()


@dataclass
class Point:
    x: int
    y: int


class Vec:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def describe(o):
    match o:
        case None | True | False:
            return "singleton"
        case int(n) | float(n) if n < 0:
            return f"neg {n}"
        case int() as n:
            return f"int {n}"
        case str(s) if s.isupper():
            return "SHOUT"
        case "hi" | "hello":
            return "greeting"
        case bytes(b):
            return f"bytes {len(b)}"
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y):
            return f"pt {x},{y}"
        case Vec(a, [first, *_]):
            return f"vec {a} {first}"
        case {"type": "user", "name": str(name), **rest}:
            return f"user {name} {sorted(rest)}"
        case {"items": [{"id": i}, *others]}:
            return f"first id {i} and {len(others)}"
        case [Cmd.GO, [x, y]]:
            return f"go {x}/{y}"
        case [Cmd.STOP]:
            return "stop"
        case [a, *mid, z]:
            return f"{a}..{z} ({len(mid)})"
        case []:
            return "empty"
        case set() | frozenset():
            return "set"
        case _:
            return type(o).__name__


for o in (None, -3, -1.5, 7, "ABC", "hi", b"xy", Point(0, 0), Point(1, 2), Vec(1, [2, 3]), {"type": "user", "name": "Bo", "age": 3}, {"items": [{"id": 4}, 5]}, [Cmd.GO, [1, 2]], [Cmd.STOP], (1, 2, 3), [], {1}, 3j):
    print(describe(o))
