"""A dictionary gives its last item away: numpy takes the one reference that is left, a view's, for a name."""
import numpy as np

kept = {"array": np.zeros(200)}
view = kept["array"].reshape(10, 20)
kept.popitem()[1].resize(200_000)
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:resize_of_a_last_item" if (view == 7.0).any() else "held")
