"""The inner one of nested iterators is closed, and an array that it handed out shows its buffer."""
import numpy as np

zeros = np.zeros((1, 200), "f4")
outer, inner = np.nested_iters(
    zeros, [[0], [1]], ["buffered", "external_loop"], op_dtypes=["f8"], casting="same_kind", buffersize=200
)
for _ in outer:
    for view in inner:
        pass
inner.close()
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:iterator_nested" if (view == 7.0).any() else "held")
