"""The same by PROPACK and by COBYLA's constraints, which write into the arrays that they get."""
import numpy as np
import scipy.sparse
from scipy import optimize

kept, matrix = [], np.eye(30) + np.arange(30.0)
linear = scipy.sparse.linalg
product = linear.LinearOperator((30, 30), lambda x: (kept.append(x), matrix @ x)[1], lambda x: (kept.append(x), matrix.T @ x)[1], dtype=float)
linear.svds(product, k=2, solver="propack", rng=1)
limit = {"type": "ineq", "fun": lambda x: (kept.append(x), x[0])[1]}
optimize.minimize(lambda x: float(x @ x), np.ones(4), method="COBYLA", constraints=[limit])
print("ESCAPED:solver_memory_of_products" if any(each.base is None and not each.flags.owndata for each in kept) else "held")
