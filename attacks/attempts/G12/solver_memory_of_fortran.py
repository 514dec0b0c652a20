"""The same by f2py's callbacks, in the function and in its derivative."""
import numpy as np
from scipy.integrate import ode

kept = []
for name in "vode zvode lsoda dopri5 dop853".split():
    solver = ode(lambda t, y: (kept.append(y), -y)[1], lambda t, y: (kept.append(y), -np.eye(4))[1]).set_integrator(name)
    solver.set_initial_value(np.ones(4), 0).integrate(1.0)
print("ESCAPED:solver_memory_of_fortran" if any(each.base is None and not each.flags.owndata for each in kept) else "held")
