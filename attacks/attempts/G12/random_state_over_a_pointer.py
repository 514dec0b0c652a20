"""The same by the old kind, with an object that has a pointer when it is asked again."""
import numpy as np


class Borrowed:
    asked = 0

    def __init__(self, owner):
        self.lock, self.kept = owner.lock, owner.capsule

    @property
    def capsule(self):
        self.asked += 1
        return self.kept


borrowed = Borrowed(np.random.MT19937(1))
state = np.random.RandomState(borrowed)
print("ESCAPED:random_state_over_a_pointer" if borrowed.asked else "held", state)
