from dataclasses import dataclass
from decimal import Decimal, ROUND_HALF_EVEN
import csv
import datetime as dt

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Payment:
    number: int
    date: dt.date
    interest: Decimal
    principal: Decimal
    balance: Decimal


def schedule(amount, annual_rate, months, start):
    r = annual_rate / 12
    payment = (amount * r / (1 - (1 + r) ** -months)).quantize(CENT, ROUND_HALF_EVEN)
    balance = amount
    for n in range(1, months + 1):
        interest = (balance * r).quantize(CENT)
        principal = min(payment - interest, balance) if n < months else balance
        balance -= principal
        year, month = divmod(start.month - 1 + n, 12)
        yield Payment(n, dt.date(start.year + year, month + 1, 1), interest, principal, balance)


plan = list(schedule(Decimal("10000"), Decimal("0.06"), 24, dt.date(2024, 1, 1)))
for p in plan[:3] + plan[-2:]:
    print(f"{p.number:>3} {p.date:%b %Y} {p.interest:>8} {p.principal:>9} {p.balance:>10}")
print("total interest:", sum(p.interest for p in plan), "final balance:", plan[-1].balance)
with open("schedule.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(Payment.__dataclass_fields__)
    w.writerows((p.number, p.date, p.interest, p.principal, p.balance) for p in plan)
with open("schedule.csv") as f:
    print(f.readline().strip(), sum(1 for _ in f))
extra = Decimal(1000)
print(f"{(extra * (1 + Decimal('0.04')) ** 10).quantize(CENT):,}")
