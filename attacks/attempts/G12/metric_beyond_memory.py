"""A metric of narrow floats is called with arrays of wide ones: twice as long as their memory."""
import numpy as np
from sklearn.metrics import DistanceMetric

kept = []

def metric(first, second):
    kept.append(first.nbytes)
    return 0.0

DistanceMetric.get_metric("pyfunc", np.float32, func=metric).pairwise(np.zeros((2, 2), "f4"))
print("ESCAPED:metric_beyond_memory" if max(kept) > 8 else "held")
