"""A sparse matrix takes over the namespace of what its own reshape answers, of its own package."""
import numpy as np
from scipy.integrate import cubature
from scipy.sparse import dok_matrix


class Answer:
    format = "dok"

    def reshape(self, *shape, **options):
        return self

    def asformat(self, name):
        return region


region = cubature(lambda x: np.sum(x, axis=-1), [0.0, 0.0], [1.0, 1.0]).regions[0]
answer = Answer()
dok_matrix.set_shape(answer, (1, 1))
print("ESCAPED:shape_of_a_matrix", answer._xp.core)
