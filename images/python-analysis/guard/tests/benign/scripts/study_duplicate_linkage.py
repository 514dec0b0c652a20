"""Probabilistic linkage of two registries with edit distances and Fellegi-Sunter weights."""
import math
from functools import lru_cache
from itertools import product

import pandas as pd


@lru_cache(maxsize=None)
def levenshtein(a: str, b: str) -> int:
    if not a or not b:
        return len(a) + len(b)
    return min(
        levenshtein(a[1:], b) + 1,
        levenshtein(a, b[1:]) + 1,
        levenshtein(a[1:], b[1:]) + (a[0] != b[0]),
    )


def similarity(a, b):
    return 1 - levenshtein(a.lower(), b.lower()) / max(len(a), len(b))


registry_a = pd.DataFrame([
    ("a1", "Anna", "Kowalski", 1961), ("a2", "Peter", "Schmidt", 1974), ("a3", "Mary", "Jones", 1955), ("a4", "Ali", "Yilmaz", 1980)],
    columns=["id", "first", "last", "yob"])
registry_b = pd.DataFrame([
    ("b1", "Ana", "Kowalsky", 1961), ("b2", "Petra", "Schmid", 1947), ("b3", "Mary", "Johnson", 1955), ("b4", "Ali", "Yilmaz", 1980)],
    columns=["id", "first", "last", "yob"])

M_U = {"first": (0.9, 0.05), "last": (0.92, 0.01), "yob": (0.97, 0.03)}


def weight(field, agree):
    m, u = M_U[field]
    return math.log2(m / u) if agree else math.log2((1 - m) / (1 - u))


pairs = []
for (_, a), (_, b) in product(registry_a.iterrows(), registry_b.iterrows()):
    agree = {f: similarity(a[f], b[f]) >= 0.75 for f in ("first", "last")}
    agree["yob"] = a["yob"] == b["yob"]
    pairs.append({"a": a["id"], "b": b["id"], "w": sum(weight(f, ok) for f, ok in agree.items()), **agree})
links = pd.DataFrame(pairs).sort_values("w", ascending=False)
links["class"] = pd.cut(links["w"], [-float("inf"), 0, 6, float("inf")], labels=["non-link", "review", "link"])
print(links.head(6).round(2).to_string(index=False))
print(links["class"].value_counts().sort_index().to_dict())
print("cache used:", levenshtein.cache_info().hits > 0)
