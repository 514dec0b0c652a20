from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, auto, unique

@unique
class Arm(Enum):
    ACTIVE = "active"
    PLACEBO = "placebo"

    @property
    def short(self):
        return self.name[0]

class Grade(IntEnum):
    MILD = 1
    MODERATE = 2
    SEVERE = 3

class Symptom(Flag):
    PAIN = auto()
    FEVER = auto()
    BOTH = PAIN | FEVER

@dataclass
class Visit:
    arm: Arm
    grade: int
    values: list

def describe(thing):
    match thing:
        case Visit(arm=Arm.ACTIVE, grade=g) if g >= Grade.SEVERE:
            return f"severe on active ({g})"
        case Visit(Arm.PLACEBO, _, [first, *rest]):
            return f"placebo starting at {first}, {len(rest)} more"
        case Visit():
            return "some visit"
        case {"type": "lab", "value": float() | int() as value, **others}:
            return f"lab {value} and {sorted(others)}"
        case [x, y]:
            return f"pair {x} {y}"
        case str(text) if text.isdigit():
            return f"digits {text}"
        case None | "" | 0:
            return "nothing"
        case _:
            return "unknown"

for thing in (Visit(Arm.ACTIVE, 3, []), Visit(Arm.PLACEBO, 1, [5, 6]), Visit(Arm.ACTIVE, 1, []), {"type": "lab", "value": 2.5, "u": 1}, (1, 2), "42", None, object):
    print(describe(thing))
print([a.short for a in Arm], Arm("active") is Arm.ACTIVE, Grade.MILD < 2, Arm["PLACEBO"].value, list(Grade), Symptom.PAIN in Symptom.BOTH)
print(patients["arm"].map(lambda v: Arm(v).short).value_counts().to_dict())
