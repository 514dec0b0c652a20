"""The same by MINPACK."""
import numpy as np
from scipy.optimize import fsolve, leastsq

kept = []
fsolve(lambda x: (kept.append(x), x * x - 2)[1], np.ones(500))
leastsq(lambda x: (kept.append(x), x * x - 2)[1], np.ones(50))
print("ESCAPED:solver_memory_of_roots" if any(each.base is None and not each.flags.owndata for each in kept) else "held")
