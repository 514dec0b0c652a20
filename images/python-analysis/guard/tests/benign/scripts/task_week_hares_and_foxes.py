import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Iterator, Optional
from abc import ABC, abstractmethod
@dataclass(eq=False)
class Agent(ABC):
    x: int; y: int; energy: float = 10; age: int = field(default=0, repr=False)
    @abstractmethod
    def act(self, world: "World") -> Iterator["Agent"]: ...
    def move(self, w): self.x = (self.x + w.rng.choice([-1, 0, 1])) % w.size; self.y = (self.y + w.rng.choice([-1, 0, 1])) % w.size; self.energy -= 0.5; self.age += 1
@dataclass(eq=False)
class Hare(Agent):
    def act(self, w):
        self.move(w); self.energy += w.grass.pop((self.x, self.y), 0)
        if self.energy > 14: self.energy /= 2; yield Hare(self.x, self.y, self.energy)
@dataclass(eq=False)
class Fox(Agent):
    def act(self, w):
        self.move(w)
        prey = next((a for a in w.at(self.x, self.y) if isinstance(a, Hare)), None)
        if prey: w.agents.remove(prey); self.energy += 6
        if self.energy > 22: self.energy /= 2; yield type(self)(self.x, self.y, self.energy)
class World:
    def __init__(self, size=12, seed=1): self.size, self.rng, self.grass, self.agents, self.log = size, random.Random(seed), {}, [], []
    def spawn(self, kind, n): self.agents += [kind(self.rng.randrange(self.size), self.rng.randrange(self.size)) for _ in range(n)]; return self
    def at(self, x, y): return (a for a in self.agents if (a.x, a.y) == (x, y))
    def step(self):
        for _ in range(25): self.grass[self.rng.randrange(self.size), self.rng.randrange(self.size)] = 3
        for a in self.agents[:]:
            if a in self.agents: self.agents.extend(a.act(self))
        self.agents = [a for a in self.agents if a.energy > 0]; self.log.append(Counter(type(a).__name__ for a in self.agents))
    def render(self) -> str:
        grid = defaultdict(lambda: "."); grid.update({p: "," for p in self.grass}); [grid.__setitem__((a.x, a.y), type(a).__name__[0]) for a in self.agents]
        return "\n".join("".join(grid[x, y] for x in range(self.size)) for y in range(self.size))
w = World().spawn(Hare, 30).spawn(Fox, 4)
for _ in range(25): w.step()
print(w.render()); print([c["Hare"] for c in w.log[::5]], [c["Fox"] for c in w.log[::5]], max((a.age for a in w.agents), default=0), w.agents[:1])
try: Agent(1, 2)
except TypeError as e: print(e)
