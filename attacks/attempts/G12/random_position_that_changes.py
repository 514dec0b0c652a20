"""The same by a position that says something else each time, in a dict that does."""
import numpy as np


class Position:
    asked = 0

    def __index__(self):
        self.asked += 1
        return 0 if self.asked == 1 else 1000

    __int__ = __index__


position = Position()


class State(dict):
    def __getitem__(self, name):
        return position if name == "pos" else State(dict.__getitem__(self, name)) if name == "state" else dict.__getitem__(self, name)

    def get(self, name, default=None):
        return dict.get(self, name, default)


generator = np.random.MT19937(1)
generator.state = State(generator.state)
generator.state = State(generator.state)
found = generator.state["state"]["pos"]
print("ESCAPED:random_position_that_changes" if found == 1000 else "held")
