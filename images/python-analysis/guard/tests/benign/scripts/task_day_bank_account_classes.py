import datetime
from decimal import Decimal, ROUND_HALF_UP
from typing import Protocol, runtime_checkable


class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        self.balance = balance
        self.amount = amount
        super().__init__(f"need {amount}, have {balance}")


@runtime_checkable
class HasInterest(Protocol):
    rate: Decimal

    def add_interest(self) -> Decimal: ...


class Account:
    _next_number = 1000
    currency = "EUR"

    def __init__(self, owner: str, balance: Decimal = Decimal("0")):
        self.owner = owner
        self._balance = Decimal(balance)
        self.number = Account._next_number
        Account._next_number += 1
        self.__history = []

    @property
    def balance(self) -> Decimal:
        return self._balance.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

    @balance.setter
    def balance(self, value):
        raise AttributeError("use deposit() or withdraw()")

    def deposit(self, amount):
        amount = Decimal(str(amount))
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self._balance += amount
        self.__history.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        amount = Decimal(str(amount))
        if amount > self._balance:
            raise InsufficientFunds(self.balance, amount)
        self._balance -= amount
        self.__history.append(("withdraw", amount))
        return self

    @property
    def history(self):
        return tuple(self.__history)

    def __str__(self):
        return f"#{self.number} {self.owner}: {self.balance:>10} {self.currency}"

    def __repr__(self):
        return f"{type(self).__name__}({self.owner!r}, {self.balance!r})"

    def __iadd__(self, amount):
        return self.deposit(amount)

    def __bool__(self):
        return self._balance > 0


class Savings(Account):
    def __init__(self, owner, balance="0", rate="0.015"):
        super().__init__(owner, Decimal(balance))
        self.rate = Decimal(rate)

    def add_interest(self):
        interest = self._balance * self.rate
        self.deposit(interest)
        return interest


a = Account("Ines", Decimal("50"))
s = Savings("Omar", "1000")
a.deposit(25.5).withdraw("10.10")
a += 5
print(a)
print(repr(s), bool(Account("x")), isinstance(s, HasInterest), isinstance(a, HasInterest))
s.add_interest()
print(s.balance, s.history)
for action in (lambda: a.withdraw(500), lambda: a.deposit(-1), lambda: setattr(a, "balance", 3)):
    try:
        action()
    except (InsufficientFunds, ValueError, AttributeError) as exc:
        print(f"{exc.__class__.__name__}: {exc}")
print(sorted(a.__dict__), a._Account__history[0])
print(datetime.date(2030, 12, 31).isoformat(), Account._next_number)
