import base64
import io
import json
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.backends.backend_agg import FigureCanvasAgg
import numpy as np

fig = Figure(figsize=(4, 3), dpi=80)
canvas = FigureCanvasAgg(fig)
ax = fig.subplots()
ax.plot([1, 2, 3], [1, 4, 9])
buffer = io.BytesIO()
canvas.print_png(buffer)
png = buffer.getvalue()
print(png[:4], len(png) > 1000)
canvas.draw()
pixels = np.asarray(canvas.buffer_rgba())
print(pixels.shape, pixels.dtype, int(pixels[0, 0, 3]))
uri = "data:image/png;base64," + base64.b64encode(png).decode()
print(uri[:30], json.dumps({"chart": uri})[:20])
svg = io.StringIO()
fig.savefig(svg, format="svg")
print(svg.getvalue().startswith("<?xml"), "<path" in svg.getvalue())
plt.figure(num="named", figsize=(2, 2))
plt.plot([0, 1])
print(plt.gcf().get_label(), plt.gca().lines[0].get_xydata().tolist(), plt.get_fignums())
plt.clf(); plt.cla(); plt.close()
with open("chart.png", "wb") as f:
    f.write(png)
print(plt.imread("chart.png").shape)
