#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""BMI calculator with a patient registry."""

__author__ = "Clinic IT"
__version__ = "1.2.0"
__all__ = ["Patient", "Registry"]

import datetime as dt
import sys
from collections import OrderedDict
from typing import Dict, Iterator, List


class Patient(object):
    """A patient with measurements over time."""

    CATEGORIES = OrderedDict([(18.5, "underweight"), (25, "normal"), (30, "overweight"), (float("inf"), "obese")])

    def __init__(self, name, birth, height):
        self.name = name
        self.birth = birth
        self.height = height
        self._weights = []

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self._weights.sort()
        return False

    def weigh(self, when, kg):
        self._weights.append((when, kg))

    @property
    def bmi(self):
        if not self._weights:
            raise LookupError("no weights for %s" % self.name)
        return self._weights[-1][1] / self.height ** 2

    @property
    def category(self):
        return next(label for limit, label in self.CATEGORIES.items() if self.bmi < limit)

    @staticmethod
    def is_valid_height(height):
        return 0.4 < height < 2.6

    @classmethod
    def from_string(cls, text):
        name, birth, height = (part.strip() for part in text.split(";"))
        if not cls.is_valid_height(float(height)):
            raise ValueError("height %s m is not plausible" % height)
        return cls(name, dt.datetime.strptime(birth, "%d/%m/%Y").date(), float(height))


class Registry(Dict[str, Patient]):
    def __missing__(self, key):
        raise KeyError(f"unknown patient {key!r}; known: {', '.join(sorted(self))}")

    def by_category(self) -> Dict[str, List[str]]:
        out: Dict[str, List[str]] = {}
        for p in self.values():
            out.setdefault(p.category, []).append(p.name)
        return out


def main():
    reg = Registry()
    for line in ("Noor; 02/11/1988; 1.64", "Piet; 30/06/1971; 1.90", "Typo; 01/01/2000; 175"):
        try:
            p = Patient.from_string(line)
        except ValueError as err:
            sys.stdout.write("skipped: %s\n" % err)
        else:
            reg[p.name] = p
    with reg["Noor"] as noor:
        noor.weigh(dt.date(2031, 2, 1), 80.0)
        noor.weigh(dt.date(2030, 2, 1), 70.0)
    reg["Piet"].weigh(dt.date.min, 84)
    for name, p in reg.items():
        print("{:<6}{:>6.1f} {}".format(name, p.bmi, p.category))
    print(reg.by_category(), __version__, __author__, __doc__, __name__)
    try:
        reg["Xi"]
    except KeyError as e:
        print(e.args[0])
    print(Patient.__doc__, Patient.__module__, len(reg), isinstance(reg, dict), Patient.weigh.__qualname__)


if __name__ == '__main__':
    main()
