"""A random state is set that is at a place behind its end: the next numbers are what lies there."""
import numpy as np

state = np.random.RandomState(1)
state.set_state(("MT19937", state.get_state()[1], 1000))
print("ESCAPED:random_position", state.randint(0, 2**32, 6, dtype="u4"))
