import re
from dataclasses import dataclass
from typing import Any, Callable, Iterable


@dataclass
class Check:
    field: str
    test: Callable[[Any], bool]
    message: str

    def __call__(self, record: dict) -> str | None:
        try:
            ok = self.test(record[self.field])
        except KeyError:
            return f"{self.field} is missing"
        except (TypeError, ValueError) as e:
            return f"{self.field}: {type(e).__name__}"
        return None if ok else f"{self.field} {self.message}"


CHECKS = [
    Check("email", lambda v: re.fullmatch(r"[^@\s]+@[^@\s]+\.\w{2,}", v) is not None, "is no address"),
    Check("age", lambda v: 0 <= int(v) <= 130, "is out of range"),
    Check("country", {"DE", "FR", "US"}.__contains__, "is unknown"),
    Check("password", lambda v: len(v) >= 8 and any(c.isdigit() for c in v) and any(c.isupper() for c in v), "is weak"),
]


def validate(records: Iterable[dict]):
    for n, record in enumerate(records):
        problems = [p for check in CHECKS if (p := check(record))]
        yield n, record, problems


records = [
    {"email": "a@b.org", "age": "42", "country": "DE", "password": "Secret123"},
    {"email": "broken", "age": "-1", "country": "XX", "password": "short"},
    {"email": "c@d.com", "age": "old", "password": None},
]
valid = []
for n, record, problems in validate(records):
    if problems:
        print(f"record {n}:", "; ".join(problems))
    else:
        valid.append(record | {"age": int(record["age"])})
print(valid)
masked = [{k: "***" if k == "password" else v for k, v in r.items()} for r in valid]
print(masked, f"{len(valid)}/{len(records)} valid")
