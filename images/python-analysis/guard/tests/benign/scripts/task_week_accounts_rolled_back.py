from __future__ import annotations
import abc
import contextlib
import datetime as dt
from typing import Iterator, Protocol, runtime_checkable

class AccountError(Exception):
    code = 100
    def __str__(self) -> str:
        return f"[{self.code}] " + super().__str__()

class Overdrawn(AccountError):
    code = 101
    def __init__(self, short: float, *args):
        super().__init__(f"short by {short:.2f}", *args)
        self.short = short

@runtime_checkable
class Auditable(Protocol):
    def history(self) -> list[str]: ...

class Account(abc.ABC):
    _registry: dict[str, "Account"] = {}
    fee: float = 0.0

    def __init__(self, owner: str, opening: float = 0.0) -> None:
        self.owner = owner
        self.__balance = opening
        self._log: list[str] = []
        type(self)._registry[owner] = self

    def __init_subclass__(cls, *, fee: float = 0.0, **kw) -> None:
        super().__init_subclass__(**kw)
        cls.fee = fee

    @property
    def balance(self) -> float:
        return self.__balance

    @balance.setter
    def balance(self, value: float) -> None:
        if value < self.floor():
            raise Overdrawn(self.floor() - value)
        self._log.append(f"{self.__balance:.2f}->{value:.2f}")
        self.__balance = value

    @abc.abstractmethod
    def floor(self) -> float: ...

    def history(self) -> list[str]:
        return list(self._log)

    @contextlib.contextmanager
    def transaction(self) -> Iterator["Account"]:
        before, n = self.__balance, len(self._log)
        try:
            yield self
        except AccountError as exc:
            self.__balance = before
            del self._log[n:]
            print("rolled back:", exc)

    @staticmethod
    def stamp(day: dt.date) -> str:
        return f"{day:%Y%m%d}"

    @classmethod
    def find(cls, owner: str) -> "Account":
        return cls._registry[owner]

class Current(Account, fee=1.5):
    def floor(self): return -200
class Savings(Account):
    def floor(self): return 0

try:
    Account("x")
except TypeError as e:
    print(e)
ada, bo = Current("ada", 50), Savings("bo", 20)
with ada.transaction() as acc:
    acc.balance -= 100
    acc.balance -= 300
print(ada.balance, ada.history(), isinstance(ada, Auditable), Current.fee, Savings.fee)
with bo.transaction():
    bo.balance += 5
print(Account.find("bo").history(), Account.stamp(dt.date(2031, 2, 3)), hasattr(ada, "_Account__balance"))
with contextlib.suppress(KeyError):
    Account.find("cy")
    print("never")
print(sorted(n for n in vars(ada)), [c.__name__ for c in Current.__mro__], Current.__subclasses__(), Account.__abstractmethods__)
