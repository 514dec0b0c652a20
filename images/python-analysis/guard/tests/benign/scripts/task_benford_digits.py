import math
from collections import Counter
import numpy as np
from scipy.stats import chisquare

fib = [1, 1]
while len(fib) < 500:
    fib.append(fib[-1] + fib[-2])
sources = {"Fibonacci": fib, "powers of 2": [2**k for k in range(1, 500)], "squares": [k * k for k in range(1, 500)]}
expected = np.array([math.log10(1 + 1 / d) for d in range(1, 10)])
for name, numbers in sources.items():
    counts = Counter(int(str(n)[0]) for n in numbers)
    observed = np.array([counts[d] for d in range(1, 10)])
    stat, p = chisquare(observed, expected * observed.sum())
    print(f"{name:<12} {np.round(observed / observed.sum(), 3)} p={p:.3g}")
print("expected    ", expected.round(3))
digits = str(2**1000)
print(len(digits), sum(map(int, digits)), Counter(digits).most_common(3))
print("digits of e:", str(sum(10**60 // math.factorial(k) for k in range(50)))[:40])
