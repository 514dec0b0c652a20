"""A Generator over an object that has another's pointer, and does not keep the other."""
import numpy as np


class Borrowed:
    pass


owner, borrowed = np.random.MT19937(1), Borrowed()
borrowed.capsule, borrowed.lock = owner.capsule, owner.lock
generator = np.random.Generator(borrowed)
del owner
print("ESCAPED:generator_over_a_pointer", generator)
