"""A seed answers with fewer words than it was asked for: the state holds what lies behind them."""
import numpy as np


class Seed(np.random.SeedSequence):
    def generate_state(self, n_words, dtype=None):
        return np.zeros(0, "u8")


print("ESCAPED:seed_of_its_own", np.random.PCG64(Seed(1)).state)
