from __future__ import annotations
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Iterable
from copy import deepcopy


class Effect(ABC):
    def __init__(self, turns: int):
        self.turns = turns

    @abstractmethod
    def apply(self, target: Fighter) -> str | None: ...

    def tick(self, target):
        self.turns -= 1
        return self.apply(target)

    @property
    def expired(self):
        return self.turns <= 0


class Poison(Effect):
    def apply(self, target):
        target.hp -= 3
        return f"{target.name} suffers"


class Shield(Effect):
    def apply(self, target):
        target.armor = 2 if self.turns else 0


@dataclass
class Fighter:
    MAX: ClassVar[int] = 30
    name: str
    attack: int
    hp: int = MAX
    armor: int = 0
    effects: list[Effect] = field(default_factory=list)

    def __bool__(self):
        return self.hp > 0

    def hit(self, other: Fighter, rng: Random) -> str:
        damage = max(0, rng.randint(1, self.attack) - other.armor)
        other.hp -= damage
        return f"{self.name} hits {other.name} for {damage} ({max(other.hp, 0)} left)"

    def upkeep(self) -> Iterable[str]:
        for effect in self.effects[:]:
            if message := effect.tick(self):
                yield message
            if effect.expired:
                self.effects.remove(effect)


def fight(a: Fighter, b: Fighter, seed: int) -> Fighter:
    rng = Random(seed)
    turn, (first, second) = 0, rng.sample([a, b], 2)
    while first and second:
        turn += 1
        for line in (*first.upkeep(), first.hit(second, rng)):
            print(f"{turn:>2} {line}")
        first, second = second, first
    return a if a else b


mage = Fighter("Mage", 8, effects=[Shield(3)])
troll = Fighter("Troll", 10, effects=[Poison(4)])
copies = deepcopy([mage, troll])
winner = fight(mage, troll, 12)
print("winner:", winner.name, winner is mage, copies[0].hp, Fighter.MAX, [type(e).__name__ for e in copies[1].effects], Fighter.__dataclass_fields__["hp"].default)
