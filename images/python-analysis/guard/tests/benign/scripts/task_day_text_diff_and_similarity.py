import difflib
import sys
from collections import Counter
import math
import re

OLD = """alpha
beta
gamma
delta
""".splitlines(keepends=True)
NEW = """alpha
beta 2
gamma
epsilon
delta
""".splitlines(keepends=True)

sys.stdout.writelines(difflib.unified_diff(OLD, NEW, "old.txt", "new.txt"))
print(difflib.get_close_matches("apple", ["ape", "applet", "peach"], n=2), round(difflib.SequenceMatcher(None, "kitten", "sitting").ratio(), 3))
for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(a=OLD, b=NEW).get_opcodes():
    print(f"{tag:<8} {i1}:{i2} -> {j1}:{j2}")


def levenshtein(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


def cosine(a, b):
    va, vb = (Counter(re.findall(r"\w+", t.lower())) for t in (a, b))
    dot = sum(va[w] * vb[w] for w in va.keys() & vb.keys())
    norm = math.hypot(*va.values()) * math.hypot(*vb.values())
    return dot / norm if norm else 0.0


def soundex(name):
    codes = {c: d for d, letters in {"1": "BFPV", "2": "CGJKQSXZ", "3": "DT", "4": "L", "5": "MN", "6": "R"}.items() for c in letters}
    name = name.upper()
    out, last = name[0], codes.get(name[0])
    for c in name[1:]:
        d = codes.get(c)
        if d and d != last:
            out += d
        if c not in "HW":
            last = d
    return (out + "000")[:4]


print(levenshtein("flaw", "lawn"), round(cosine("the red house", "a red brick house"), 3), [soundex(n) for n in ("Meyer", "Maier", "Smith")])
