"""A stochastic SIR model, in plain Python and with numpy."""
import numpy as np
import matplotlib.pyplot as plt

class SIR:
    def __init__(self, n, infected, beta, gamma, seed=0):
        self.s, self.i, self.r = n - infected, infected, 0
        self.n, self.beta, self.gamma = n, beta, gamma
        self._rng = np.random.default_rng(seed)
        self.history = [(self.s, self.i, self.r)]

    def step(self):
        new = self._rng.binomial(self.s, 1 - np.exp(-self.beta * self.i / self.n))
        healed = self._rng.binomial(self.i, 1 - np.exp(-self.gamma))
        self.s -= new
        self.i += new - healed
        self.r += healed
        self.history.append((self.s, self.i, self.r))

    def run(self, days):
        while days and self.i:
            self.step()
            days -= 1
        return self

model = SIR(1000, 5, beta=0.4, gamma=0.1).run(150)
curve = np.array(model.history)
print("peak", curve[:, 1].max(), "on day", int(curve[:, 1].argmax()), "attack rate", round(model.r / model.n, 3))
fig, ax = plt.subplots()
for column, label in enumerate(["susceptible", "infected", "recovered"]):
    ax.plot(curve[:, column], label=label)
ax.legend()
