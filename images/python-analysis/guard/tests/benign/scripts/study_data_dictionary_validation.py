"""Range and consistency checks against a data dictionary; problems go to a CSV."""
import csv
import sys
from dataclasses import dataclass
from typing import Callable, Iterable, Iterator

import pandas as pd


@dataclass(frozen=True)
class Rule:
    table: str
    column: str
    description: str
    check: Callable[[pd.Series], pd.Series]


RULES = [
    Rule("patients", "age", "age between 18 and 100", lambda s: s.between(18, 100) | s.isna()),
    Rule("patients", "sex", "sex is F or M", lambda s: s.isin(["F", "M"])),
    Rule("patients", "bmi", "BMI between 15 and 40", lambda s: s.between(15, 40) | s.isna()),
    Rule("visits", "sbp", "SBP between 90 and 180", lambda s: s.between(90, 180) | s.isna()),
    Rule("visits", "hr", "heart rate is an integer", lambda s: s.mod(1).eq(0)),
    Rule("labs", "unit", "unit known", lambda s: s.isin({"mmol/L", "g/dL"})),
]


def violations(frames: dict, rules: Iterable[Rule]) -> Iterator[dict]:
    for rule in rules:
        frame = frames[rule.table]
        bad = frame.loc[~rule.check(frame[rule.column])]
        for idx, row in bad.iterrows():
            yield {"table": rule.table, "row": idx, "id": row["patient_id"], "rule": rule.description, "value": row[rule.column]}


def main() -> int:
    frames = {"patients": patients, "visits": visits, "labs": labs}
    found = list(violations(frames, RULES))
    with open(OUTPUT / "violations.csv", "w", newline="") as fh:
        writer = csv.DictWriter(fh, fieldnames=["table", "row", "id", "rule", "value"])
        writer.writeheader()
        writer.writerows(found)
    print(f"{len(found)} violations of {len(RULES)} rules")
    for rule in RULES:
        print(f"  {rule.description:<28} {sum(v['rule'] == rule.description for v in found)}")
    orphans = set(visits["patient_id"]) - set(patients["patient_id"])
    print("orphan visits:", len(orphans), file=sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
