from itertools import combinations
from collections import Counter

baskets = [
    {"bread", "milk"}, {"bread", "nappies", "beer", "eggs"}, {"milk", "nappies", "beer", "cola"},
    {"bread", "milk", "nappies", "beer"}, {"bread", "milk", "nappies", "cola"},
]
MIN_SUPPORT = 0.4


def support(itemset):
    return sum(itemset <= b for b in baskets) / len(baskets)


frequent = {}
current = [frozenset([i]) for i in sorted(set().union(*baskets))]
while current:
    kept = {s: support(s) for s in current if support(s) >= MIN_SUPPORT}
    frequent |= kept
    current = sorted({a | b for a in kept for b in kept if len(a | b) == len(a) + 1}, key=sorted)
for s, v in sorted(frequent.items(), key=lambda kv: (len(kv[0]), sorted(kv[0]))):
    print(f"{', '.join(sorted(s)):<25} {v:.2f}")
print("rules:")
rules = []
for s in frequent:
    for r in range(1, len(s)):
        for lhs in map(frozenset, combinations(sorted(s), r)):
            confidence = frequent[s] / frequent[lhs]
            if confidence >= 0.75:
                rules.append((confidence, frequent[s] / frequent[lhs] / support(s - lhs), sorted(lhs), sorted(s - lhs)))
for conf, lift, lhs, rhs in sorted(rules, reverse=True)[:6]:
    print(f"  {lhs} -> {rhs}  conf {conf:.2f} lift {lift:.2f}")
print(Counter(i for b in baskets for i in b).most_common(1))
