"""A prepared request takes over the namespace of what authentication answers."""
import numpy as np
import requests
from scipy.integrate import cubature


class Prepared(requests.PreparedRequest):
    pass


region = cubature(lambda x: np.sum(x, axis=-1), [0.0, 0.0], [1.0, 1.0]).regions[0]
prepared = Prepared()
prepared.prepare(method="GET", url="http://example.invalid/", auth=lambda request: region)
print("ESCAPED:authentication_answers", prepared._xp.core)
