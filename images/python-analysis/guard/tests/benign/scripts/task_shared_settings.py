"""Design patterns: a shared-state settings object, observer, strategy and command."""
import operator
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field


class SharedSettings:
    _shared = {}

    def __init__(self, **values):
        self.__dict__ = self._shared
        for key, value in values.items():
            setattr(self, key, value)


class Observer(ABC):
    @abstractmethod
    def update(self, subject, amount): ...


class Ledger(Observer):
    def __init__(self):
        self.lines = []

    def update(self, subject, amount):
        self.lines.append((subject.owner, amount))


@dataclass
class Account:
    owner: str
    balance: float = 0.0
    observers: list = field(default_factory=list, repr=False)

    def change(self, amount):
        self.balance = round(self.balance + amount, 2)
        for each in self.observers:
            each.update(self, amount)


class Command:
    def __init__(self, target, amount):
        self.target, self.amount = target, amount

    def do(self):
        self.target.change(self.amount)

    def undo(self):
        self.target.change(-self.amount)


STRATEGIES = {"flat": lambda b: 5.0, "percent": lambda b: b * 0.02, "none": lambda b: 0.0}


@contextmanager
def batch(*commands):
    done = []
    try:
        yield done
        for c in commands:
            if c.target.balance + c.amount < 0:
                raise ValueError(f"{c.target.owner} would be overdrawn")
            c.do()
            done.append(c)
    except ValueError as exc:
        for c in reversed(done):
            c.undo()
        print("rolled back:", exc)


SharedSettings(fee="percent", currency="EUR")
ledger = Ledger()
a, b = Account("Ana", 100, [ledger]), Account("Ben", 20, [ledger])
with batch(Command(a, -30), Command(b, 30)):
    print("moving")
with batch(Command(a, -10), Command(b, -500)):
    pass
fee = STRATEGIES[SharedSettings().fee](a.balance)
print(a, b, fee, SharedSettings().currency, SharedSettings._shared)
print(ledger.lines, sum(map(operator.itemgetter(1), ledger.lines)))
s, t = SharedSettings(), SharedSettings()
s.fee = "none"
print(t.fee, s is t, s.__dict__ == t.__dict__)
