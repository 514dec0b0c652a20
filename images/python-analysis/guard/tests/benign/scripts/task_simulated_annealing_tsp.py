import math
import random
import matplotlib.pyplot as plt

random.seed(6)
cities = [(random.random() * 100, random.random() * 100) for _ in range(15)]


def length(tour):
    return sum(math.dist(cities[a], cities[b]) for a, b in zip(tour, tour[1:] + tour[:1]))


def anneal(tour, temp=50.0, cooling=0.995, steps=3000):
    best = current = tour[:]
    history = []
    for _ in range(steps):
        i, j = sorted(random.sample(range(len(tour)), 2))
        candidate = current[:i] + current[i:j + 1][::-1] + current[j + 1:]
        delta = length(candidate) - length(current)
        if delta < 0 or random.random() < math.exp(-delta / temp):
            current = candidate
            if length(current) < length(best):
                best = current
        temp *= cooling
        history.append(length(current))
    return best, history


start = list(range(len(cities)))
best, history = anneal(start)
print(f"start {length(start):.1f}, best {length(best):.1f}, improved {length(best) < length(start)}")
print("valid tour:", sorted(best) == start)
fig, ax = plt.subplots(1, 2, figsize=(9, 4))
xs, ys = zip(*[cities[i] for i in best + best[:1]])
ax[0].plot(xs, ys, "o-")
for i, (x, y) in enumerate(cities):
    ax[0].annotate(str(i), (x, y))
ax[1].plot(history)
plt.savefig("tsp.png")
