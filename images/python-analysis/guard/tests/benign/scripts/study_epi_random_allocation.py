import random
import secrets
import string
import uuid
import hashlib
import numpy as np
import pandas as pd
from collections import deque, Counter
from typing import Generator, Literal, Sequence

Arm = Literal["A", "B"]
def blocks(sizes: Sequence[int] = (4, 6), seed: int = 1) -> Generator[Arm, None, None]:
    rnd = random.Random(seed)
    while True:
        k = rnd.choice(sizes)
        b = list("AB" * (k // 2))
        rnd.shuffle(b)
        yield from b

class Minimiser:
    def __init__(self, factors, p=.8, seed=0):
        self.factors, self.p = tuple(factors), p
        self.rnd = random.Random(seed)
        self.n = Counter()
        self._log = deque(maxlen=5)

    def allocate(self, person: dict) -> str:
        score = {a: sum(abs(self.n[f, person[f], a] + 1 - self.n[f, person[f], b]) for f in self.factors) for a, b in (("A", "B"), ("B", "A"))}
        best = min(score, key=score.get)
        arm = self.rnd.choice("AB") if score["A"] == score["B"] else best if self.rnd.random() < self.p else "AB".replace(best, "")
        self.n.update((f, person[f], arm) for f in self.factors)
        self._log.append((person["patient_id"], arm))
        return arm

    def __len__(self):
        return sum(self.n.values()) // len(self.factors)

m = Minimiser(["site", "sex"])
al = patients.assign(new=[m.allocate(r) for r in patients.to_dict("records")])
print(pd.crosstab([al.site, al.sex], al.new), len(m), list(m._log)[-2:])
gens = {s: blocks(seed=i) for i, s in enumerate("ABC")}
al["block"] = [next(gens[s]) for s in al.site]
print(al.groupby("site").block.value_counts().unstack())
imb = al.block.map({"A": 1, "B": -1}).groupby(al.site).cumsum()
print("largest imbalance", imb.abs().max())
sim = []
for s in range(50):
    mm = Minimiser(["site", "sex"], seed=s)
    arms = [mm.allocate(r) for r in patients.head(60).to_dict("records")]
    sim.append(arms.count("A"))
print("A among 60:", np.mean(sim).round(1), np.std(sim).round(2))
ids = ["".join(random.Random(i).choices(string.ascii_uppercase + string.digits, k=6)) for i in range(3)]
print(ids, len(secrets.token_hex(4)), uuid.UUID(int=5).hex[-3:], uuid.uuid5(uuid.NAMESPACE_DNS, "study").version, hashlib.blake2b(b"P001", key=b"salt", digest_size=6).hexdigest())
rng = np.random.default_rng([1, 2]); np.random.seed(3); random.seed(3)
print(rng.permutation(4), np.random.choice(5, 2), random.sample(range(10), 3), random.gauss(0, 1).__round__(3), rng.choice(["x", "y"], 3, p=[.2, .8]), rng.integers(0, 10, 3), rng.bit_generator.state["bit_generator"])
