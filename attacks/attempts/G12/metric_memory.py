"""A ball tree calls a metric with arrays over its own memory, which is freed with the tree."""
import numpy as np
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import BallTree

kept = []

def metric(first, second):
    kept.append(first)
    return float(np.abs(first - second).sum())

BallTree(np.arange(40.0).reshape(20, 2), metric=metric)
DistanceMetric.get_metric(metric).pairwise(np.zeros((2, 2)))
print("ESCAPED:metric_memory" if any(each.base is None and not each.flags.owndata for each in kept) else "held")
