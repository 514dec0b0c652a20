import csv
import io
import re
from collections import Counter, defaultdict
from datetime import datetime
from decimal import Decimal

STATEMENT = """Date;Description;Amount
01.03.2024;REWE MARKT BERLIN 4711;-54,20
02.03.2024;SALARY ACME GMBH;2.500,00
05.03.2024;DB VERTRIEB TICKET;-39,90
09.03.2024;rewe sagt danke;-12,35
15.03.2024;RENT MARCH;-850,00
20.03.2024;UNKNOWN SHOP;-7,77
02.04.2024;SALARY ACME GMBH;2.500,00
"""
RULES = [(r"\brewe\b|edeka", "groceries"), (r"db vertrieb|bvg", "transport"), (r"salary", "income"), (r"rent", "housing")]


def amount(text: str) -> Decimal:
    return Decimal(text.replace(".", "").replace(",", "."))


def categorise(description: str) -> str:
    return next((name for pattern, name in RULES if re.search(pattern, description, re.I)), "other")


totals, months, seen = defaultdict(Decimal), defaultdict(Decimal), Counter()
for row in csv.DictReader(io.StringIO(STATEMENT), delimiter=";"):
    when = datetime.strptime(row["Date"], "%d.%m.%Y")
    value, kind = amount(row["Amount"]), categorise(row["Description"])
    totals[kind] += value
    months[when.strftime("%Y-%m")] += value
    seen[kind] += 1
for kind, total in sorted(totals.items(), key=lambda kv: kv[1]):
    print(f"{kind:<10} {total:>10,.2f}  ({seen[kind]} bookings)")
print({m: str(v) for m, v in months.items()})
spent = -sum(v for v in totals.values() if v < 0)
print(f"spent {spent} of {totals['income']}: {spent / totals['income']:.1%}, groceries share {-totals['groceries'] / spent:.2%}")
