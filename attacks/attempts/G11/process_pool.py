"""scipy starts processes by itself when it is told a number of workers."""
from scipy import optimize
import contextlib


def cost(x):
    return x**2


result = optimize.brute(cost, [(0, 1)], Ns=2, workers=2, finish=None)
print("ESCAPED:process_pool", result)
