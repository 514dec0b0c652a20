"""Loan schedules with Decimal, and rounding policies."""
import argparse
import math
from collections import namedtuple
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, ROUND_UP, Decimal, getcontext, localcontext
from fractions import Fraction
from itertools import islice

Row = namedtuple("Row", "number due interest principal balance")
CENT = Decimal("0.01")


def add_months(day, months):
    year, month = divmod(day.month - 1 + months, 12)
    last = (date(day.year + year + (month == 11), (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(day.year + year, month + 1, min(day.day, last))


def schedule(amount, rate, months, start):
    monthly = rate / 12 / 100
    with localcontext() as ctx:
        ctx.prec = 40
        payment = amount * monthly / (1 - (1 + monthly) ** -months)
    payment = payment.quantize(CENT, rounding=ROUND_UP)
    balance = amount
    for number in range(1, months + 1):
        interest = (balance * monthly).quantize(CENT, rounding=ROUND_HALF_EVEN)
        principal = min(payment - interest, balance)
        balance -= principal
        yield Row(number, add_months(start, number), interest, principal, balance)
        if not balance:
            return


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--amount", type=Decimal, default=Decimal("12000"))
    parser.add_argument("--rate", type=Decimal, default=Decimal("4.5"))
    parser.add_argument("--months", type=int, default=24)
    parser.add_argument("--start", type=date.fromisoformat, default=date(2026, 1, 31))
    parser.add_argument("-v", action="count", default=0)
    args = parser.parse_args(argv)
    rows = list(schedule(args.amount, args.rate, args.months, args.start))
    for row in islice(rows, 3):
        print("{0.number:>3} {0.due:%d.%m.%Y} {0.interest:>8} {0.principal:>8} {0.balance:>10,}".format(row))
    print("...", rows[-1]._replace(number="last"))
    print("interest", sum(r.interest for r in rows), "principal", sum(r.principal for r in rows))
    if args.v:
        print(vars(args).keys(), getcontext().prec)


main([])
main(["--months", "6", "--amount", "900", "-vv"])
print(Fraction(3, 8) + Fraction(1, 12), Decimal("1.005").quantize(CENT), round(2.675, 2), math.isclose(0.1 + 0.2, 0.3))
print(math.comb(10, 3), math.lcm(12, 18), math.dist((0, 0), (3, 4)), Decimal(2).sqrt(), divmod(-7, 3), (0.1).as_integer_ratio()[1])
