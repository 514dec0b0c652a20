"""odeint calls back with an array over its work memory, which is freed when it returns."""
import numpy as np
from scipy.integrate import odeint

kept = []
odeint(lambda y, t: (kept.append(y), -y)[1], np.ones(500), [0, 1.0])
others = [np.full(500, 7.5) for _ in range(3000)]
print("ESCAPED:solver_memory" if kept[0].base is None and not kept[0].flags.owndata else "held")
