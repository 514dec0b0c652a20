import numpy as np
from scipy import stats
import matplotlib.pyplot as plt

successes = {"A": 18, "B": 27}
trials = {"A": 60, "B": 62}
prior = (1, 1)
rng = np.random.default_rng(0)

posteriors = {arm: stats.beta(prior[0] + successes[arm], prior[1] + trials[arm] - successes[arm]) for arm in trials}
for arm, post in posteriors.items():
    lo, hi = post.interval(0.95)
    print(f"arm {arm}: mean {post.mean():.3f}, 95% CrI {lo:.3f}-{hi:.3f}")
draws = {arm: post.rvs(20_000, random_state=rng) for arm, post in posteriors.items()}
diff = draws["B"] - draws["A"]
print(f"P(B > A) = {(diff > 0).mean():.2f}; P(diff > 0.05) = {(diff > 0.05).mean():.2f}")
print("median difference %.2f" % np.median(diff))

grid = np.linspace(0, 1, 501)
numerator = np.trapezoid(posteriors["B"].pdf(grid) * posteriors["A"].cdf(grid), grid)
print(f"numerical P(B > A) = {numerator:.3f}")

for name, (a, b) in {"sceptical": (10, 25), "enthusiastic": (12, 12)}.items():
    post = stats.beta(a + successes["B"], b + trials["B"] - successes["B"])
    print(f"{name:>12} prior -> posterior mean {post.mean():.3f}")

fig, ax = plt.subplots()
for arm, post in posteriors.items():
    ax.plot(grid, post.pdf(grid), label=f"arm {arm}")
ax.fill_between(grid, np.minimum(posteriors["A"].pdf(grid), posteriors["B"].pdf(grid)), alpha=0.2, color="grey")
ax.set(xlim=(0.1, 0.7), xlabel="response rate", ylabel="density")
ax.legend()
fig.savefig(OUTPUT / "posterior.png")
