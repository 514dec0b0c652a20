"""An iterator that has ended with its with lets go of its operand, which the last array that it handed out shows."""
import numpy as np

with np.nditer([np.zeros(200)], ["external_loop"]) as iterator:
    for view in iterator:
        pass
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:iterator_closed" if (view == 7.0).any() else "held")
