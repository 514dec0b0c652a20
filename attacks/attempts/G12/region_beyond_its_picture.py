"""A region that reaches beyond the picture is not filled there: it shows what somebody has left in that memory."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.transforms import Bbox

figure = plt.figure(figsize=(1, 1), dpi=20)
figure.canvas.draw()
left = [bytearray(b"S" * 40_000) for _ in range(50)]
del left
regions = [figure.canvas.copy_from_bbox(Bbox([[0, 0], [100, 100]])) for _ in range(40)]
found = b"".join(bytes(memoryview(region)) for region in regions)
print("ESCAPED:region_beyond_its_picture" if b"SSSS" in found else "held")
