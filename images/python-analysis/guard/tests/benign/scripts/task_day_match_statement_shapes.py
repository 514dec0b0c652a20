from dataclasses import dataclass
import json


@dataclass
class Move:
    dx: int
    dy: int


@dataclass
class Say:
    text: str
    loud: bool = False


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


def handle(command):
    match command:
        case Move(0, 0):
            return "stay"
        case Move(dx=0, dy=dy) if dy > 0:
            return f"up {dy}"
        case Move(dx, dy):
            return f"move {dx},{dy}"
        case Say(text, loud=True):
            return text.upper()
        case Say(text):
            return text
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y) if x == y:
            return f"diagonal at {x}"
        case {"type": "json", "payload": {"items": [first, *rest]}, **extra}:
            return f"json first={first} rest={len(rest)} extra={sorted(extra)}"
        case [1, (2 | 3) as second, *_]:
            return f"list starting 1,{second}"
        case (str() | bytes()) as s if len(s) > 3:
            return f"long {type(s).__name__}"
        case int(n) | float(n):
            return f"number {n}"
        case None | True | False:
            return "constant"
        case _:
            return f"unknown {type(command).__name__}"


for item in [Move(0, 0), Move(0, 3), Move(-1, 2), Say("hi", True), Say("psst"), Point(0, 0), Point(4, 4), [1, 3, 9, 9],
             json.loads('{"type": "json", "payload": {"items": [1, 2, 3]}, "id": 9}'), "abcd", b"abcde", 3, 2.5, None, True, {1, 2}, "ab"]:
    print(f"{handle(item)}")
