"""A trial simulator with inheritance, properties and a context manager."""
from abc import ABC, abstractmethod
from contextlib import contextmanager
import numpy as np


class Endpoint(ABC):
    def __init__(self, name):
        self.name = name

    @abstractmethod
    def draw(self, rng, n, treated): ...

    @abstractmethod
    def effect(self, t, c): ...


class Continuous(Endpoint):
    def __init__(self, name, mean, sd, delta):
        super().__init__(name)
        self.mean, self.sd, self.delta = mean, sd, delta

    def draw(self, rng, n, treated):
        return rng.normal(self.mean + self.delta * treated, self.sd, n)

    def effect(self, t, c):
        return t.mean() - c.mean(), np.sqrt(t.var(ddof=1) / len(t) + c.var(ddof=1) / len(c))


class Binary(Endpoint):
    def __init__(self, name, p, rd):
        super().__init__(name)
        self.p, self.rd = p, rd

    def draw(self, rng, n, treated):
        return rng.binomial(1, self.p + self.rd * treated, n)

    def effect(self, t, c):
        return t.mean() - c.mean(), np.sqrt(t.mean() * (1 - t.mean()) / len(t) + c.mean() * (1 - c.mean()) / len(c))


class Trial:
    def __init__(self, endpoint: Endpoint, n_per_arm: int, seed: int = 0):
        self.endpoint = endpoint
        self.n = n_per_arm
        self._rng = np.random.default_rng(seed)
        self._results = []

    @property
    def power(self):
        return np.mean([abs(e / s) > 1.96 for e, s in self._results]) if self._results else None

    def simulate(self, times):
        for _ in range(times):
            t, c = (self.endpoint.draw(self._rng, self.n, x) for x in (1, 0))
            self._results.append(self.endpoint.effect(t, c))
        return self

    def __len__(self):
        return len(self._results)

    def __repr__(self):
        return f"<Trial {self.endpoint.name!r} n={self.n} runs={len(self)}>"


@contextmanager
def section(title):
    print(f"== {title} ==")
    yield
    print("-" * (len(title) + 6))


for endpoint in (Continuous("sbp", 140, 15, -6), Binary("responder", 0.3, 0.12)):
    with section(type(endpoint).__name__):
        trial = Trial(endpoint, 100, seed=7)
        print(trial, trial.power)
        trial.simulate(300)
        print(trial, f"power {trial.power:.2f}", isinstance(endpoint, Endpoint))
try:
    Endpoint("x")
except TypeError as error:
    print("TypeError:", "abstract" in str(error))
