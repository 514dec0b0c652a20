"""A Philox generator goes on before the begin of its buffer."""
import numpy as np

generator = np.random.Philox(1)
generator.state = {**generator.state, "buffer_pos": -40}
print("ESCAPED:random_position_before", generator.random_raw(3))
