from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field, fields, replace
from typing import ClassVar

@dataclass(order=True)
class Measurement:
    value: float
    unit: str = "mmHg"
    tags: list[str] = field(default_factory=list, compare=False)
    limit: ClassVar[float] = 140.0

    def __post_init__(self):
        if self.value < 0:
            raise ValueError(f"negative value: {self.value}")
        self._checked = True

    @property
    def high(self) -> bool:
        return self.value > self.limit and self._checked

@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    n: int
    mean: float

    def __str__(self):
        return f"n={self.n}, mean={self.mean:.1f}"

values = [Measurement(v) for v in visits["sbp"].dropna().head(20)]
print(max(values), sum(m.high for m in values))
print(Summary(n=len(values), mean=sum(m.value for m in values) / len(values)))
print(asdict(values[0]), astuple(values[1]), [f.name for f in fields(Measurement)])
print(replace(values[0], unit="kPa") == values[0], hash(Summary(n=1, mean=2.0)) == hash(Summary(n=1, mean=2.0)))
try:
    Measurement(-1)
except ValueError as error:
    print("refused:", error)
try:
    Summary(n=1, mean=1).n = 2
except AttributeError as error:
    print(type(error).__name__)
