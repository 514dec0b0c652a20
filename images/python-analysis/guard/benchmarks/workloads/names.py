"""Loops that ask objects by name and type: getattr, hasattr, setattr, type, isinstance."""

import time

began = time.thread_time()


class Row:
    pass


fields = ("age", "sex", "weight", "height")
rows = []
for i in range(10_000):
    row = Row()
    for place, field in enumerate(fields):
        setattr(row, field, i + place)
    rows.append(row)
total = 0
for row in rows:
    for field in fields:
        if hasattr(row, field):
            total += getattr(row, field)
    total += getattr(row, "bmi", 0)
kinds = {}
for value in (1, 2.0, "three", None, (4,), [5]) * 10_000:
    kind = type(value).__name__
    kinds[kind] = kinds.get(kind, 0) + 1
    if isinstance(value, str) or type(value) is list:
        total += 1
print(time.thread_time() - began)
