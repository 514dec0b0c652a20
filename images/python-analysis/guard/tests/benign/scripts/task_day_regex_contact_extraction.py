#!/usr/bin/env python
import re
from typing import NamedTuple, List
import json
import sys


class Contact(NamedTuple):
    name: str
    phone: str | None
    email: str | None

    @property
    def complete(self) -> bool:
        return all(self)


DOC = """
Dr. Lena Okafor (lena.okafor@klinik.example), tel +49 30 555-0199
Prof. Juan-Pablo Ruiz <jp_ruiz@uni.example.org>
Reception: 030/5550100
Ms. Wei Zhang, wei@zhang.example, 0171 5550123
"""

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"(?:\+\d{1,3}\s?)?(?:\d[\s/-]?){7,}\d")
NAME = re.compile(r"\b(?:Dr|Prof|Ms|Mr)\.\s+((?:[A-Z][\w-]+\s?)+)")


def first(pattern, text, group=0):
    m = pattern.search(text)
    return m.group(group).strip() if m else None


def extract(doc: str) -> List[Contact]:
    out = []
    for line in filter(None, map(str.strip, doc.splitlines())):
        name = first(NAME, line, 1) or line.split(":")[0]
        phone = first(PHONE, line)
        if phone:
            phone = re.sub(r"[^\d+]", "", phone)
        out.append(Contact(name, phone, first(EMAIL, line)))
    return out


contacts = extract(DOC)
for c in contacts:
    print(f"{c.name:<18} {c.phone or '-':<14} {c.email or '-':<28} {'yes' if c.complete else 'no'}")
json.dump([c._asdict() for c in contacts], sys.stdout, indent=2)
print()
masked = EMAIL.sub(lambda m: m.group()[0] + "***@" + m.group().split("@")[1], DOC)
print(masked.strip())
print(re.findall(r"(?i)prof|dr", DOC), re.split(r"\s*,\s*", "a , b,c"), EMAIL.pattern, re.escape("a.b"))
for m in re.finditer(r"(?P<user>\w+)@(?P<host>\w+)", DOC):
    print(m.start() > 0, m.groupdict())
