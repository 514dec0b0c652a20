from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import total_ordering
from typing import Iterable, Self


@total_ordering
@dataclass(frozen=True, slots=True, eq=True)
class Money:
    amount: Decimal
    currency: str = "EUR"

    def __post_init__(self):
        object.__setattr__(self, "amount", Decimal(self.amount).quantize(Decimal("0.01")))

    def _check(self, other: object) -> None:
        if not isinstance(other, Money):
            raise TypeError(f"expected Money, got {other.__class__.__name__}")
        if other.currency != self.currency:
            raise ValueError(f"cannot mix {self.currency} and {other.currency}")

    def __add__(self, other: Self) -> Self:
        self._check(other)
        return type(self)(self.amount + other.amount, self.currency)

    def __radd__(self, other):
        return self if other == 0 else self.__add__(other)

    def __mul__(self, factor: int | Decimal) -> Self:
        return self.__class__(self.amount * Decimal(str(factor)), self.currency)

    __rmul__ = __mul__

    def __lt__(self, other):
        self._check(other)
        return self.amount < other.amount

    def allocate(self, *ratios: int) -> list[Money]:
        cents = int(self.amount * 100)
        parts = [cents * r // sum(ratios) for r in ratios]
        for i in range(cents - sum(parts)):
            parts[i] += 1
        return [Money(Decimal(p) / 100, self.currency) for p in parts]

    def __str__(self):
        return f"{self.amount:,} {self.currency}"


def total(items: Iterable[Money]) -> Money:
    return sum(items)


m = Money("100")
print(m, m * 3, 2 * Money("0.335"), total([m, Money("5.5")]), [str(p) for p in m.allocate(1, 1, 1)])
print(m > Money("99"), max(m, Money(5)), {m: "a"}[Money(100)], m == Money("100.00"), m != Money(100, "USD"), repr(m))
for f in (lambda: m + 5, lambda: m + Money(1, "USD"), lambda: setattr(m, "amount", 1)):
    try:
        f()
    except (TypeError, ValueError, AttributeError) as e:
        print(type(e).__name__, str(e)[:40])
print(Money.__slots__, Money.__match_args__, hasattr(m, "__dict__"))
