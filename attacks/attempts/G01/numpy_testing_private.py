"""numpy.testing keeps os and sys."""
import numpy as np

print("ESCAPED:numpy_testing_private", np.testing._private.utils.os.getpid())
