"""numpy's bit generators are rebuilt by a function that takes a name."""
import numpy as np

function = np.random.default_rng().bit_generator.__reduce__()[0]
print("ESCAPED:generator_pickle", function)
