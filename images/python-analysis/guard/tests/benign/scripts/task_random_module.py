import random
from collections import Counter

random.seed(2024)
print(random.random(), random.randint(1, 6), random.uniform(1, 2))
print(random.choice("abc"), random.choices(["win", "lose"], weights=[1, 3], k=5), random.sample(range(50), 5))
deck = [f"{r}{s}" for s in "SHDC" for r in "A23456789TJQK"]
random.shuffle(deck)
hands = [deck[i::4][:5] for i in range(4)]
for i, hand in enumerate(hands, 1):
    print(f"player {i}: {' '.join(sorted(hand))}")
rolls = Counter(random.randint(1, 6) + random.randint(1, 6) for _ in range(3600))
for total in range(2, 13):
    print(f"{total:>2} {rolls[total]:>4} {'*' * (rolls[total] // 20)}")

rng = random.Random("seed string")
state = rng.getstate()
first = [rng.gauss(0, 1) for _ in range(3)]
rng.setstate(state)
print(first == [rng.gauss(0, 1) for _ in range(3)], round(rng.expovariate(2), 4), rng.getrandbits(16))


def reservoir(stream, k, rng):
    sample = []
    for i, item in enumerate(stream):
        if i < k:
            sample.append(item)
        elif (j := rng.randint(0, i)) < k:
            sample[j] = item
    return sample


print(reservoir(range(1000), 5, random.Random(7)))
password = "".join(random.Random(3).choices("abcdefghjkmnpqrstuvwxyz23456789", k=12))
print(password, len(password))
