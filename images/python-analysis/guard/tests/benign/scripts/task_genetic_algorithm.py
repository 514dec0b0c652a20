import random

TARGET = "HELLO WORLD"
GENES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ "


def fitness(s):
    return sum(a == b for a, b in zip(s, TARGET))


def crossover(a, b):
    return "".join(random.choice(pair) for pair in zip(a, b))


def mutate(s, rate=0.05):
    return "".join(random.choice(GENES) if random.random() < rate else c for c in s)


random.seed(123)
population = ["".join(random.choices(GENES, k=len(TARGET))) for _ in range(100)]
for generation in range(300):
    population.sort(key=fitness, reverse=True)
    best = population[0]
    if generation % 10 == 0 or best == TARGET:
        print(f"{generation:>3}  {best}  {fitness(best)}/{len(TARGET)}")
    if best == TARGET:
        break
    parents = population[:20]
    population = parents[:2] + [mutate(crossover(*random.sample(parents, 2))) for _ in range(98)]
print("found" if best == TARGET else "not found")
