from __future__ import annotations
from abc import ABC, abstractmethod
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, getcontext, localcontext
from typing import ClassVar, Final, Self
import uuid
import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger(__name__)
CENT: Final = Decimal("0.01")


class BankError(Exception):
    """Base error."""


class InsufficientFunds(BankError):
    def __init__(self, needed: Decimal, available: Decimal):
        super().__init__(f"need {needed}, have {available}")
        self.needed = needed
        self.available = available


class Account(ABC):
    count: ClassVar[int] = 0

    def __init__(self, owner: str, balance: Decimal | str = "0"):
        self.owner = owner
        self._balance = Decimal(balance)
        self.id = uuid.uuid5(uuid.NAMESPACE_DNS, owner)
        self.history: list[tuple[date, str, Decimal]] = []
        Account.count += 1

    @property
    def balance(self) -> Decimal:
        return self._balance.quantize(CENT, rounding=ROUND_HALF_UP)

    @balance.setter
    def balance(self, value):
        raise AttributeError("use deposit or withdraw")

    def deposit(self, amount) -> Self:
        amount = Decimal(str(amount))
        if amount <= 0:
            raise ValueError("amount must be positive")
        self._balance += amount
        self.history.append((date(2024, 1, 1), "deposit", amount))
        return self

    def withdraw(self, amount) -> Self:
        amount = Decimal(str(amount))
        if amount > self.limit():
            raise InsufficientFunds(amount, self.balance)
        self._balance -= amount
        self.history.append((date(2024, 1, 2), "withdraw", -amount))
        return self

    @abstractmethod
    def limit(self) -> Decimal: ...

    def __lt__(self, other):
        return self._balance < other._balance

    def __format__(self, spec):
        return f"{self.owner}: {self.balance:{spec or ',.2f'}}"


class Savings(Account):
    def __init__(self, *args, rate=Decimal("0.02"), **kwargs):
        super().__init__(*args, **kwargs)
        self.rate = rate

    def limit(self):
        return self._balance

    def accrue(self, days: int):
        with localcontext() as ctx:
            ctx.prec = 30
            self._balance *= (1 + self.rate / 365) ** days


class Checking(Account):
    overdraft = Decimal(100)

    def limit(self):
        return self._balance + self.overdraft


s = Savings("Ann", "1000")
c = Checking("Ben")
s.deposit(250.50).withdraw(100)
s.accrue(30)
print(format(s), f"{s:>12.1f}", sep="|")
try:
    c.withdraw(150)
except InsufficientFunds as exc:
    log.warning("refused: %s", exc)
    print("refused", exc.needed, exc.available, isinstance(exc, BankError))
try:
    s.balance = 5
except AttributeError as exc:
    print(exc)
try:
    Account("x")
except TypeError as exc:
    print(str(exc)[:40])
print(sorted([s, c])[0].owner, Account.count, s.id, getcontext().prec)
for when, what, how_much in s.history:
    print(when.isoformat(), what.ljust(10), f"{how_much:+.2f}")
print((datetime(2024, 2, 28) + timedelta(days=2)).strftime("%A %d %B %Y"))
