"""Double-entry ledger with trial balance."""
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, getcontext, InvalidOperation
from enum import Enum, IntEnum, Flag, unique
import locale

getcontext().prec = 28


@unique
class Kind(Enum):
    ASSET = "asset"
    LIABILITY = "liability"
    INCOME = "income"
    EXPENSE = "expense"

    @property
    def sign(self):
        return 1 if self in (Kind.ASSET, Kind.EXPENSE) else -1


@dataclass(frozen=True)
class Line:
    account: str
    debit: Decimal = Decimal(0)
    credit: Decimal = Decimal(0)


@dataclass
class Entry:
    when: date
    text: str
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self):
        debit = sum((l.debit for l in self.lines), Decimal())
        credit = sum((l.credit for l in self.lines), Decimal())
        if debit != credit:
            raise ValueError(f"{self.text}: debit {debit} != credit {credit}")


class Ledger:
    def __init__(self, chart):
        self.chart = {name: Kind(kind) for name, kind in chart.items()}
        self.entries = []

    def post(self, when, text, **amounts):
        lines = []
        for account, amount in amounts.items():
            if account not in self.chart:
                raise KeyError(account)
            amount = Decimal(amount)
            lines.append(Line(account, amount) if amount > 0 else Line(account, credit=-amount))
        self.entries.append(Entry(when, text, lines))

    def balances(self):
        totals = defaultdict(Decimal)
        for entry in self.entries:
            for line in entry.lines:
                totals[line.account] += line.debit - line.credit
        return {a: totals[a] * self.chart[a].sign for a in sorted(totals)}

    def __len__(self):
        return len(self.entries)


ledger = Ledger({"cash": "asset", "loan": "liability", "sales": "income", "rent": "expense"})
ledger.post(date(2031, 1, 2), "loan", cash="5000", loan="-5000")
ledger.post(date(2031, 1, 15), "sold goods", cash="1299.90", sales="-1299.90")
ledger.post(date(2031, 1, 31), "rent", rent="800", cash="-800")
for bad in (dict(cash="10", sales="-9"), dict(gold="1"), dict(cash="abc")):
    try:
        ledger.post(date.max, "bad", **bad)
    except (ValueError, KeyError, InvalidOperation) as e:
        print(type(e).__name__, "-", e if not isinstance(e, InvalidOperation) else "invalid")
for account, amount in ledger.balances().items():
    print(f"{account:<10}{amount:>12,.2f}")
profit = ledger.balances()["sales"] - ledger.balances()["rent"]
print("profit", profit, "entries", len(ledger), [k.name for k in Kind], Kind("asset") is Kind.ASSET, Kind.__members__.keys())


class Priority(IntEnum):
    LOW = 1
    HIGH = 2


class Perm(Flag):
    READ = 1
    WRITE = 2


print(Priority.HIGH > Priority.LOW, sorted(Priority, reverse=True)[0].name, Perm.READ | Perm.WRITE, Perm.READ in Perm(3))
