"""The same by a function of a library that sets attributes."""
import matplotlib.pyplot as plt
import numpy as np

class Set(np.ndarray):
    def set_strides(self, value): self.strides = value
    def set(self, **named): [getattr(self, "set_" + name)(value) for name, value in named.items()]

array = np.frombuffer(bytearray(4096), dtype="u1", offset=2048).view(Set)
array.set(strides=(2,))
print("ESCAPED:strides_by_setp", array[-1])
