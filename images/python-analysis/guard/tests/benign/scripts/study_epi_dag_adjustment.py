"""Which covariates? A little DAG and what adjustment does to the estimate."""
from __future__ import annotations
from dataclasses import dataclass, field
from itertools import chain, combinations
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

@dataclass
class DAG:
    edges: list[tuple[str, str]]
    nodes: set[str] = field(init=False)

    def __post_init__(self):
        self.nodes = {n for e in self.edges for n in e}

    def parents(self, n): return {a for a, b in self.edges if b == n}
    def children(self, n): return {b for a, b in self.edges if a == n}

    def descendants(self, n):
        out, todo = set(), [n]
        while todo:
            for c in self.children(todo.pop()):
                if c not in out:
                    out.add(c); todo.append(c)
        return out

    def paths(self, x, y, seen=()):
        if x == y:
            yield (*seen, y)
            return
        for n in sorted((self.parents(x) | self.children(x)) - set(seen)):
            yield from self.paths(n, y, (*seen, x))

    def blocked(self, path, Z):
        for a, b, c in zip(path, path[1:], path[2:]):
            collider = (a, b) in self.edges and (c, b) in self.edges
            if collider and not ({b} | self.descendants(b)) & Z: return True
            if not collider and b in Z: return True
        return False

    def sufficient(self, x, y, Z):
        back = [p for p in self.paths(x, y) if (p[1], x) in self.edges]
        return not Z & self.descendants(x) and all(self.blocked(p, Z) for p in back)

    def minimal(self, x, y):
        cand = sorted(self.nodes - {x, y} - self.descendants(x))
        sets = [set(s) for s in chain.from_iterable(combinations(cand, k) for k in range(len(cand) + 1)) if self.sufficient(x, y, set(s))]
        return [s for s in sets if not any(t < s for t in sets)]

g = DAG([("age", "exercise"), ("age", "sbp"), ("site", "exercise"), ("exercise", "weight"), ("weight", "sbp"), ("exercise", "sbp"), ("income", "exercise"), ("income", "diet"), ("diet", "sbp"), ("sbp", "visit"), ("exercise", "visit")])
for s in g.minimal("exercise", "sbp"):
    print("adjust for", sorted(s))
print(g.sufficient("exercise", "sbp", {"age", "diet", "visit"}), len(list(g.paths("exercise", "sbp"))))
rng = np.random.default_rng(11)
n = 3000
d = pd.DataFrame({"age": rng.normal(size=n), "income": rng.normal(size=n), "site": rng.normal(size=n)})
d["diet"] = .7 * d.income + rng.normal(size=n)
d["exercise"] = .5 * d.age + .6 * d.income + .5 * d.site + rng.normal(size=n)
d["weight"] = -.5 * d.exercise + rng.normal(size=n)
d["sbp"] = .8 * d.age - .5 * d.diet - .3 * d.exercise + .6 * d.weight + rng.normal(size=n)
d["visit"] = d.sbp + d.exercise + rng.normal(size=n)
est = {}
for z in ("1", "age", "age + diet", "age + income", "age + diet + weight", "age + diet + visit", "age + diet + site"):
    f = smf.ols(f"sbp ~ exercise + {z}", d).fit()
    est[z] = [f.params["exercise"], *f.conf_int().loc["exercise"]]
print(pd.DataFrame(est, index=["b", "lo", "hi"]).T.round(2).assign(truth=-.6))
