import csv
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from io import StringIO
from typing import Any, Callable, Iterable

RAW = """id,email,born,weight
1,ann@example.org,1980-05-17,61.5
2,bob(at)example.org,1975-13-01,80
3,,1990-01-01,-4
4,dee@example.org,01.02.1999,abc
"""

Check = Callable[[str], Any]


def required(value: str) -> str:
    if not value.strip():
        raise ValueError("is required")
    return value


def matches(pattern: str, value: str) -> str:
    if not re.fullmatch(pattern, value):
        raise ValueError(f"does not match {pattern}")
    return value


def as_date(value: str, formats=("%Y-%m-%d", "%d.%m.%Y")):
    for f in formats:
        try:
            return datetime.strptime(value, f).date()
        except ValueError:
            pass
    raise ValueError(f"not a date: {value}")


def between(low, high, value):
    number = float(value)
    if not low <= number <= high:
        raise ValueError(f"{number} outside {low}..{high}")
    return number


@dataclass
class Report:
    good: list[dict] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __iadd__(self, message: str):
        self.errors.append(message)
        return self

    def __bool__(self):
        return not self.errors


SCHEMA: dict[str, list[Check]] = {
    "id": [required, int],
    "email": [required, partial(matches, r"[^@\s]+@[^@\s]+\.\w+")],
    "born": [as_date],
    "weight": [partial(between, 0, 400)],
}


def validate(rows: Iterable[dict]) -> Report:
    report = Report()
    for line, row in enumerate(rows, 2):
        clean, bad = {}, False
        for name, checks in SCHEMA.items():
            value = row.get(name, "")
            try:
                for check in checks:
                    value = check(value)
            except (ValueError, TypeError) as e:
                report += f"line {line}, {name}: {e}"
                bad = True
            else:
                clean[name] = value
        if not bad:
            report.good.append(clean)
    return report


report = validate(csv.DictReader(StringIO(RAW)))
print(*report.errors, sep="\n")
print(report.good, bool(report), Counter(e.split(",")[0] for e in report.errors))
print([c.__name__ if hasattr(c, "__name__") else f"partial {c.func.__name__}{c.args}" for checks in SCHEMA.values() for c in checks])
