import numpy as np
import matplotlib.pyplot as plt

np.random.seed(42)
n_walkers, n_steps = 50, 400

steps = np.random.choice([-1, 1], size=(n_walkers, n_steps))
paths = np.cumsum(steps, axis=1)
rms = np.sqrt((paths**2).mean(axis=0))

fig, (ax1, ax2) = plt.subplots(1, 2, figsize=(12, 4))
ax1.plot(paths.T, lw=0.5, alpha=0.6)
ax1.set_title("Random walks")
ax1.set_xlabel("step")
ax2.loglog(np.arange(1, n_steps + 1), rms, label="RMS distance")
ax2.loglog(np.arange(1, n_steps + 1), np.sqrt(np.arange(1, n_steps + 1)), "k--", label=r"$\sqrt{n}$")
ax2.legend()
plt.tight_layout()
plt.savefig("random_walk.png", dpi=100)
plt.show()

returns = (paths == 0).any(axis=1).sum()
print(f"{returns} of {n_walkers} walkers returned to the origin")
print(f"final positions: mean {paths[:, -1].mean():.2f}, std {paths[:, -1].std():.2f}, range {paths[:, -1].min()} to {paths[:, -1].max()}")
slope = np.polyfit(np.log(np.arange(1, n_steps + 1)), np.log(rms), 1)[0]
print(f"scaling exponent: {slope:.2f}")
