import random
import numpy as np

random.seed(42)
np.random.seed(42)
print(random.random(), random.sample(range(100), 5), random.choices("abc", weights=[5, 1, 1], k=6))
print(np.random.rand(3).round(4), np.random.randint(0, 10, 5), np.random.choice(["x", "y"], 4))
items = list(range(8))
random.shuffle(items)
print(items, random.gauss(0, 1), random.Random(7).uniform(1, 2))
rng = np.random.default_rng(seed=7)
print(rng.normal(loc=120, scale=15, size=4).round(2), rng.permutation(5), rng.integers(1, 7, size=(2, 3)))
print(np.random.RandomState(3).poisson(4, 5))
state = random.getstate()
first = random.random()
random.setstate(state)
print(first == random.random())
