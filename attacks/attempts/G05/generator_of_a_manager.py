"""A library's context manager keeps its generator, and with it the library's frame, under a public name."""
import numpy as np

generator = getattr(np.printoptions(), "gen", None)
if generator is not None:
    print("ESCAPED:generator_of_a_manager", generator)
