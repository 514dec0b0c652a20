a, b = {1, 2, 3, 4}, {3, 4, 5}
print(a | b, a & b, a - b, a ^ b, a.issubset({1, 2, 3, 4, 5}), a.isdisjoint({9}))
a.add(10); a.discard(99); a.update([7, 8]); a.remove(1)
print(sorted(a), len(a), frozenset(b) == b)
d = {"b": 2, "a": 1, "c": 3}
print(sorted(d.items(), key=lambda kv: kv[1], reverse=True), dict(sorted(d.items())), list(reversed(d)))
print(d.get("z", 0), d.pop("b"), d.setdefault("n", []), d.popitem(), d)
d |= {"x": 9}
print({"a": 1} | {"a": 2}, dict.fromkeys("ab", 0), d.keys() & {"a", "q"}, max(d, key=d.get))
for k in list(d):
    if d[k] == 9:
        del d[k]
print(d, "a" in d, list(d.values()), d == {"a": 1, "c": 3})
people = [{"name": "A", "city": "X"}, {"name": "B", "city": "Y"}, {"name": "C", "city": "X"}]
by_city = {}
for p in people:
    by_city.setdefault(p["city"], []).append(p["name"])
print(by_city, {k: len(v) for k, v in by_city.items()}, list({p["city"]: p for p in people}))
try:
    {[1]: 2}
except TypeError as e:
    print("TypeError:", e)
seen = set()
print([x for x in [3, 1, 3, 2, 1] if not (x in seen or seen.add(x))], list(dict.fromkeys([3, 1, 3, 2, 1])))
