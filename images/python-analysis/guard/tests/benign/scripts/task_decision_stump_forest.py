from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, Union


@dataclass
class Leaf:
    label: Any


@dataclass
class Split:
    feature: int
    threshold: float
    left: "Tree"
    right: "Tree"


Tree = Union[Leaf, Split]


def entropy(labels):
    n = len(labels)
    return -sum(c / n * math.log2(c / n) for c in Counter(labels).values())


def best_split(rows):
    base, best = entropy([r[-1] for r in rows]), (0.0, None, None)
    for f in range(len(rows[0]) - 1):
        for t in sorted({r[f] for r in rows})[1:]:
            left, right = [r[-1] for r in rows if r[f] < t], [r[-1] for r in rows if r[f] >= t]
            gain = base - (len(left) * entropy(left) + len(right) * entropy(right)) / len(rows)
            if gain > best[0] + 1e-12:
                best = gain, f, t
    return best


def build(rows, depth=3) -> Tree:
    gain, f, t = best_split(rows)
    if depth == 0 or f is None:
        return Leaf(Counter(r[-1] for r in rows).most_common(1)[0][0])
    return Split(f, t, build([r for r in rows if r[f] < t], depth - 1), build([r for r in rows if r[f] >= t], depth - 1))


def predict(tree: Tree, row):
    match tree:
        case Leaf(label):
            return label
        case Split(feature=f, threshold=t, left=l, right=r):
            return predict(l if row[f] < t else r, row)


def show(tree, indent=""):
    if isinstance(tree, Leaf):
        print(f"{indent}-> {tree.label}")
    else:
        print(f"{indent}x{tree.feature} < {tree.threshold:.2f}?")
        show(tree.left, indent + "  ")
        show(tree.right, indent + "  ")


rng = random.Random(8)
data = []
for _ in range(60):
    x, y = round(rng.uniform(0, 10), 1), round(rng.uniform(0, 10), 1)
    data.append((x, y, "in" if 3 < x < 7 and y > 4 else "out"))
tree = build(data)
show(tree)
print("accuracy:", sum(predict(tree, r) == r[-1] for r in data) / len(data))
