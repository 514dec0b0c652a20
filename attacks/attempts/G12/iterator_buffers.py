"""An iterator that is closed frees its buffer, and an array that it handed out shows it."""
import numpy as np

iterator = np.nditer([np.zeros(200, "f4")], ["buffered", "external_loop"], op_dtypes=["f8"], casting="same_kind", buffersize=200)
view = iterator[0]
iterator.close()
others = [np.full(200, 7.0) for _ in range(64)]
print("ESCAPED:iterator_buffers" if (view == 7.0).any() else "held")
