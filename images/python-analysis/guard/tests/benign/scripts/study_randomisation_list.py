"""Stratified permuted-block randomisation, reproducible from a seed."""
import csv
import itertools
import random
from collections import Counter, defaultdict
from typing import Iterator


def blocks(rng: random.Random, sizes=(4, 6), arms=("A", "B")) -> Iterator[str]:
    while True:
        size = rng.choice(sizes)
        block = list(arms) * (size // len(arms))
        rng.shuffle(block)
        yield from block


def make_list(sites, strata, n, seed=20240101):
    master = random.Random(seed)
    for site, stratum in itertools.product(sites, strata):
        rng = random.Random(master.getrandbits(32))
        for number, arm in enumerate(itertools.islice(blocks(rng), n), start=1):
            yield {"site": site, "stratum": stratum, "number": number, "code": f"{site}-{stratum[0].upper()}{number:03d}", "arm": arm}


rows = list(make_list(["01", "02", "03"], ["young", "old"], 20))
with open(OUTPUT / "randomisation.csv", "w", newline="") as f:
    w = csv.DictWriter(f, fieldnames=rows[0].keys())
    w.writeheader()
    w.writerows(rows)

print(rows[0], rows[-1], sep="\n")
balance = defaultdict(Counter)
for row in rows:
    balance[row["site"], row["stratum"]][row["arm"]] += 1
for key, count in sorted(balance.items()):
    print(key, dict(sorted(count.items())))
imbalance = [abs(c["A"] - c["B"]) for c in balance.values()]
print("largest imbalance:", max(imbalance))
assert len({r["code"] for r in rows}) == len(rows), "codes must be unique"
again = list(make_list(["01", "02", "03"], ["young", "old"], 20))
print("reproducible:", again == rows)
