"""What becomes the type of a new array is objects when numpy asks, and numbers when somebody looks again."""
import numpy as np


class Kind:
    asked = 0

    @property
    def dtype(self):
        self.asked += 1
        return np.dtype("O" if self.asked == 1 else "i8")


secret = b"0123456789abcdef"
found = np.ndarray((1,), Kind(), np.array([id(secret)]))
print("ESCAPED:object_array_of_two_types", found[0])
