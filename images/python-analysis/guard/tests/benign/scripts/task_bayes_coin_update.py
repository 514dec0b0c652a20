import numpy as np
import matplotlib.pyplot as plt

grid = np.linspace(0, 1, 101)
prior = np.ones_like(grid) / grid.size
flips = "HHTHHHTHHT"

fig, ax = plt.subplots()
posterior = prior.copy()
for i, flip in enumerate(flips, 1):
    posterior *= grid if flip == "H" else 1 - grid
    posterior /= posterior.sum()
    if i in (1, 3, 10):
        ax.plot(grid, posterior, label=f"after {i}")
        mean = (grid * posterior).sum()
        print(f"after {i:>2}: mean {mean:.3f}, mode {grid[posterior.argmax()]:.2f}")
ax.legend()
fig.savefig("coin.png")
cdf = posterior.cumsum()
print("95% interval:", grid[np.searchsorted(cdf, 0.025)].round(2), grid[np.searchsorted(cdf, 0.975)].round(2))
print("P(biased to heads) = %.3f" % posterior[grid > 0.5].sum())


def bayes(prior, sensitivity, specificity):
    positive = prior * sensitivity + (1 - prior) * (1 - specificity)
    return prior * sensitivity / positive


for p in (0.001, 0.01, 0.1):
    print(f"prevalence {p:.1%}: PPV {bayes(p, 0.95, 0.98):.1%}")


def monty_hall(switch, n, rng):
    car, pick = rng.integers(0, 3, (2, n))
    return ((car != pick) if switch else (car == pick)).mean()


rng = np.random.default_rng(0)
print("stay %.2f, switch %.2f" % (monty_hall(False, 20000, rng), monty_hall(True, 20000, rng)))
